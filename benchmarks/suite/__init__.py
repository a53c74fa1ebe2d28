"""The suite of experiments that run_db_bench.sh runs.

scale        how large everything is
model        runs, experiments, and their results: tables and plots, as numbers only
experiments/ the experiments: a list of runs, and how their results are shown; a noun each
machine      the machine, and how much space it has
bench        one run of a program in directories of its own
results      the file that keeps finished runs, and resumes
session      all runs in their order
text         tables for the terminal
overview     the store against the limits of its medium
report, plots, page  the HTML file and its pictures
"""
