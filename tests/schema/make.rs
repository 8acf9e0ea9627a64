//! From types to schemas.

use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value, json};

/// The schema of a type. A key that may be absent is not null, unless its own type says so.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(AbsentIsNotNull);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Takes `null` out of the keys that are not required.
#[derive(Clone, Debug)]
struct AbsentIsNotNull;

impl Transform for AbsentIsNotNull {
    fn transform(&mut self, schema: &mut Schema) {
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (key, property) in properties.into_iter().flatten() {
            // The mark of `Nullable` is no word of schemas.
            let is_nullable = property.as_object_mut().and_then(|own| own.remove("nullable")).is_some();
            if is_nullable || required.contains(&json!(key)) {
                continue;
            }
            if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
                types.retain(|name| name != "null");
            }
            if let Some(choices) = property.get_mut("anyOf").and_then(Value::as_array_mut) {
                choices.retain(|choice| *choice != json!({ "type": "null" }));
            }
        }
        schema.remove("nullable");
        transform_subschemas(self, schema);
    }
}
