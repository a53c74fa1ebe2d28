"""Checks the JSON of a program against report_schema.json."""

import json
import os

import jsonschema

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report_schema.json")


def find_mistakes(report, program):
    """Returns sentences; none if the report of that program conforms to the schema."""
    with open(PATH, encoding="utf-8") as file:
        definitions = json.load(file)["definitions"]
    validator = jsonschema.Draft7Validator({"definitions": definitions,
                                            "$ref": "#/definitions/" + program})
    return ["%s: %s" % ("/".join(map(str, mistake.absolute_path)), mistake.message)
            for mistake in validator.iter_errors(report)]
