//! Arguments of the tools. The provider checks their values.

use std::collections::BTreeMap;

use messaging_host::once::wit::{Field, InvalidInput, MessageRequest};
use messaging_host::wit::{QueryParameter, TemplateQuery};
use rmcp::schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An idempotency key that names the reason for the message, such as order-17-shipped. Every retry has the same key. Visible ASCII, no spaces. Never a new random value for each call.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
pub struct Key(#[schemars(length(min = 1, max = 256), regex(pattern = "^[!-~]+$"))] pub String);

/// Arguments of `send_message`.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", transform = without_null)]
#[serde(deny_unknown_fields)]
pub struct Send {
    pub idempotency_key: Key,
    /// The recipient's phone number, with + and country code, such as +34600111222.
    phone: String,
    /// The text, sent unchanged.
    message: String,
    /// Identifier of the sender number, for accounts with several numbers.
    device: Option<String>,
    /// Further members of the request to the service, by name, if the service documents them.
    fields: Option<BTreeMap<String, Value>>,
}

/// Arguments of `list_templates`.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", transform = without_null)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Only templates with this status, for example approved.
    status: Option<String>,
    /// Further query parameters that the service documents.
    parameters: Option<BTreeMap<String, String>>,
    /// Name of the service's page parameter. If it is set, all pages are fetched.
    every_page: Option<String>,
}

/// Arguments of `look_up_message`.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub struct LookUp {
    pub idempotency_key: Key,
}

/// Removes null from the types of optional arguments, because a model omits an argument instead of
/// passing null.
fn without_null(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Some([kind, _]) = property["type"].as_array().map(Vec::as_slice) {
            property["type"] = kind.clone();
        }
    }
}

/// Parses the arguments of a call.
pub fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, InvalidInput> {
    let invalid = |detail: String| InvalidInput { field: "arguments".into(), detail };
    // Rejects a list, which serde would read as the fields of the struct in order.
    if !arguments.is_object() {
        return Err(invalid("not an object".into()));
    }
    serde_json::from_value(arguments).map_err(|error| invalid(error.to_string()))
}

impl Send {
    /// Returns the request. Sorts further members by name, because a retry may list them in another
    /// order.
    pub fn request(self) -> MessageRequest {
        let field = |(name, value): (String, Value)| Field { json: value.to_string(), name };
        let fields = self.fields.unwrap_or_default().into_iter().map(field);
        MessageRequest {
            phone: self.phone,
            message: self.message,
            device: self.device,
            fields: fields.collect(),
        }
    }
}

impl List {
    /// Returns the query.
    pub fn query(self) -> TemplateQuery {
        let parameter = |(name, value)| QueryParameter { name, value };
        TemplateQuery {
            status: self.status,
            parameters: self.parameters.unwrap_or_default().into_iter().map(parameter).collect(),
            every_page: self.every_page,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::handler::server::tool::schema_for_type;
    use serde_json::json;

    #[test]
    fn schema_lists_arguments_without_null() {
        let schema = json!(*schema_for_type::<Send>());
        assert_eq!(schema["required"], json!(["idempotency_key", "phone", "message"]));
        assert_eq!(schema["additionalProperties"], false);
        let own = &schema["properties"];
        assert_eq!(
            (&own["device"]["type"], &own["fields"]["type"]),
            (&json!("string"), &json!("object"))
        );
        let key = &own["idempotency_key"];
        assert_eq!((&key["type"], &key["pattern"]), (&json!("string"), &json!("^[!-~]+$")));
        assert_eq!((&key["minLength"], &key["maxLength"]), (&json!(1), &json!(256)));
        let words = key["description"].as_str().unwrap();
        assert!(words.contains("same key. Visible ASCII") && !words.contains('\n'), "{words}");
        let parameters = &json!(*schema_for_type::<List>())["properties"]["parameters"];
        assert_eq!(parameters["additionalProperties"], json!({ "type": "string" }));
    }

    fn send(fields: &str) -> MessageRequest {
        let text = format!(
            r#"{{"idempotency_key":"k","phone":"+34600111222","message":"m","fields":{fields}}}"#
        );
        parse::<Send>(serde_json::from_str(&text).unwrap()).unwrap().request()
    }

    #[test]
    fn field_order_does_not_matter() {
        let one = send(r#"{"template":{"id":7,"b":1.5},"media":[1,"x",null]}"#);
        let other = send(r#"{"media":[1,"x",null],"template":{"id":7,"b":1.5}}"#);
        assert_eq!(one, other);
        let json: Vec<_> = one.fields.iter().map(|field| field.json.as_str()).collect();
        assert_eq!(json, [r#"[1,"x",null]"#, r#"{"id":7,"b":1.5}"#]);
        assert_eq!(send("null").fields, []);
    }

    #[test]
    fn missing_unknown_and_wrong_arguments_are_named() {
        let of = |text: &str| parse::<Send>(serde_json::from_str(text).unwrap()).err().unwrap();
        assert!(of(r#"{"phone":"1","message":"m"}"#).detail.contains("idempotency_key"));
        let unknown = r#"{"idempotency_key":"k","phone":"1","message":"m","key":"x"}"#;
        assert!(of(unknown).detail.contains("unknown field `key`"));
        assert!(of(r#"{"idempotency_key":7,"phone":"1","message":"m"}"#).detail.contains("string"));
        assert!(parse::<LookUp>(json!({})).is_err());
        assert!(parse::<List>(json!({})).is_ok());
        assert!(parse::<List>(json!([])).is_err());
    }
}
