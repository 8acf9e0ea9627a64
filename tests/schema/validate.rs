//! Whether a value fits a schema, for the part of JSON Schema that the schemas in `docs/schema` use. A keyword that is not known here
//! is a panic, so that nothing is taken for checked that is not.

use serde_json::{Map, Value};

/// What does not fit, with the place in the value.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    fits(schema, schema, value, "", &mut found);
    found
}

fn fits(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Value::Object(schema) = schema else {
        return if *schema != Value::Bool(true) {
            found.push(format!("{at}: nothing fits here"))
        };
    };
    for (keyword, wanted) in schema {
        match keyword.as_str() {
            "$schema"
            | "$defs"
            | "title"
            | "description"
            | "format"
            | "items"
            | "properties"
            | "additionalProperties"
            | "maxItems"
            | "minItems"
            | "maximum"
            | "minimum"
            | "prefixItems" => {}
            "$ref" => {
                let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                fits(root, &root["$defs"][name], value, at, found);
            }
            "type" => {
                let names: Vec<&Value> = wanted.as_array().map_or(vec![wanted], |names| names.iter().collect());
                if !names.iter().any(|name| is_of(name.as_str().unwrap(), value)) {
                    found.push(format!("{at}: {value} is not {wanted}"));
                }
            }
            "const" if wanted != value => found.push(format!("{at}: {value} is not {wanted}")),
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                found.push(format!("{at}: {value} is not in {wanted}"))
            }
            "const" | "enum" => {}
            "anyOf" | "oneOf" => {
                let choices = wanted.as_array().unwrap().iter();
                let fitting = choices.filter(|choice| {
                    let mut own = Vec::new();
                    fits(root, choice, value, at, &mut own);
                    own.is_empty()
                });
                let fitting = fitting.count();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    found.push(format!("{at}: {value} fits {fitting} of {wanted}"));
                }
            }
            "required" => {
                let missing = wanted
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|key| value.is_object() && value.get(key.as_str().unwrap()).is_none());
                found.extend(missing.map(|key| format!("{at}: {key} is missing")));
            }
            other => panic!("the keyword {other} is not known to the test"),
        }
    }
    numbers(schema, value, at, found);
    match value {
        Value::Object(object) => members(root, schema, object, at, found),
        Value::Array(list) => elements(root, schema, list, at, found),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known to the test"),
    }
}

fn numbers(schema: &Map<String, Value>, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(number) = value.as_f64() else { return };
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if bound("minimum").is_some_and(|least| number < least) || bound("maximum").is_some_and(|most| number > most) {
        found.push(format!("{at}: {value} is out of bounds"));
    }
}

fn members(root: &Value, schema: &Map<String, Value>, object: &Map<String, Value>, at: &str, found: &mut Vec<String>) {
    for (key, member) in object {
        let at = format!("{at}/{key}");
        match (schema.get("properties").and_then(|own| own.get(key)), schema.get("additionalProperties")) {
            (Some(own), _) => fits(root, own, member, &at, found),
            (None, Some(others)) => fits(root, others, member, &at, found),
            (None, None) => {}
        }
    }
}

fn elements(root: &Value, schema: &Map<String, Value>, list: &[Value], at: &str, found: &mut Vec<String>) {
    let length = |key: &str| schema.get(key).and_then(Value::as_u64).map(|number| usize::try_from(number).unwrap());
    if length("minItems").is_some_and(|least| list.len() < least)
        || length("maxItems").is_some_and(|most| list.len() > most)
    {
        found.push(format!("{at}: the list has {} elements", list.len()));
    }
    let first = schema.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
    for (position, element) in list.iter().enumerate() {
        if let Some(own) = first.get(position).or(schema.get("items")) {
            fits(root, own, element, &format!("{at}/{position}"), found);
        }
    }
}
