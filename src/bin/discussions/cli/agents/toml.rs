//! Adds a server to the TOML file of a user. Comments and the layout stay.

use toml_edit::{Array, DocumentMut, Item, Table, value};

/// Returns the text with a server added; `None` if it already has a server of that name.
pub(super) fn with_server(
    before: &str,
    name: &str,
    seconds: u32,
) -> Result<Option<String>, String> {
    let mut all: DocumentMut =
        before.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let servers = all.entry("mcp_servers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or("not a table")?;
    if servers.contains_key(name) {
        return Ok(None);
    }
    let mut server = Table::new();
    server.insert("command", value("discussions"));
    server.insert("args", value(Array::from_iter(["mcp"])));
    server.insert("tool_timeout_sec", value(i64::from(seconds)));
    servers.insert(name, Item::Table(server));
    Ok(Some(all.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_tables_stay_and_ours_is_added_last() {
        let before = "# mine\nmodel = \"x\" # keep\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let after = with_server(before, "ours", 9).unwrap().unwrap();
        assert!(after.starts_with(before), "{after}");
        let ours = "[mcp_servers.ours]\ncommand = \"discussions\"\nargs = [\"mcp\"]\ntool_timeout_sec = 9\n";
        assert!(after.contains(ours), "{after}");
        assert_eq!(with_server(&after, "ours", 9).unwrap(), None, "once is enough");
        assert!(with_server("", "ours", 9).unwrap().is_some());
    }

    #[test]
    fn unreadable_file_is_an_error() {
        for before in ["a = ", "mcp_servers = 1"] {
            assert!(with_server(before, "ours", 9).is_err(), "{before}");
        }
    }
}
