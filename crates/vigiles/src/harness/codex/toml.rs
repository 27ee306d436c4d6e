//! JSON values as TOML.

use serde_json::{Map, Value};
use toml_edit::{Array, InlineTable, Item, Table};

/// An object as a table. TOML has no null: such a member is left out.
pub(super) fn table(object: &Map<String, Value>) -> Table {
    let mut table = Table::new();
    for (name, value) in object {
        if let Some(value) = self::value(value) {
            table.insert(name, Item::Value(value));
        }
    }
    table
}

fn value(value: &Value) -> Option<toml_edit::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => toml_edit::Value::Array(items.iter().filter_map(self::value).collect::<Array>()),
        Value::Object(fields) => {
            let mut inline = InlineTable::new();
            for (name, field) in fields {
                if let Some(field) = self::value(field) {
                    inline.insert(name, field);
                }
            }
            toml_edit::Value::InlineTable(inline)
        }
    })
}
