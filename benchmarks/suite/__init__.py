"""The suite of experiments behind run_db_bench.sh.

scale        how large everything is
model        runs, experiments, and what is shown of them: tables and plots, still only numbers
experiments/ what is asked: a list of runs, and how their results are shown; a noun each
machine      what it runs on, and what there is room for
bench        one run of a program in a place of its own
results      the file that keeps finished runs, and resumes
session      all runs in their order
text         tables for the terminal
overview     the store against the limits of its medium
report, plots, page  the HTML file and its pictures
"""
