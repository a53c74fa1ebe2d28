#!/usr/bin/env python3
"""preset_arguments.py CMakePresets.json NAME: prints the cache variables of a configure preset as
-D arguments, one a line, for a CMake that is older than presets."""
import json
import sys


def main():
    path, name = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        presets = {preset["name"]: preset for preset in json.load(file)["configurePresets"]}
    lineage = []
    while name:
        lineage.insert(0, presets[name])
        name = presets[name].get("inherits")
    variables = {}
    for preset in lineage:
        variables.update(preset.get("cacheVariables", {}))
    for key, value in variables.items():
        print(f"-D{key}={value['value'] if isinstance(value, dict) else value}")


if __name__ == "__main__":
    main()
