//! A confined run: what of the machine its CLI sees, and how it reaches the model.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::model::{Api, ModelError, ModelServer, Script};
use crate::process::ProcessError;
use crate::process::confine::{Confinement, Listen, confinement_available, decide_sandbox};

use super::driver::{Driver, Endpoint, Setup};
use super::{HarnessError, Place, Spec, Surroundings};

/// Where a confined CLI that takes no unix socket finds the model: on a loopback that is its own, so the port is free.
const PORT: u16 = 8080;

/// Whether a run is confined. Refused where it would have to be and cannot be.
pub(super) fn decide(spec: &Spec) -> Result<bool, HarnessError> {
    let decided = decide_sandbox(spec.sandbox, spec.is_trusted(), confinement_available);
    decided.map_err(|error| ProcessError::from(error).into())
}

/// Starts the model where a confined CLI reaches it.
pub(super) fn start_model(api: Api, script: Script, place: &Place) -> Result<ModelServer, HarnessError> {
    let path = place.io().join("model.sock");
    let server = ModelServer::on_unix_socket(api, script, &path)?;
    open_to_all(&path).map_err(|source| ModelError::Listen { place: path.display().to_string(), source })?;
    Ok(server)
}

/// The CLI may run as another user. Nobody else comes to the socket: the directories of a run are its owner's alone.
fn open_to_all(socket: &Path) -> io::Result<()> {
    fs::set_permissions(socket, Permissions::from_mode(0o666))
}

/// Where the driver tells the CLI that the model is.
pub(super) fn endpoint(driver: &dyn Driver, server: &ModelServer) -> Endpoint {
    match server.socket() {
        Some(socket) if driver.takes_socket() => Endpoint::Socket(socket.to_owned()),
        Some(_) => Endpoint::Url(format!("http://127.0.0.1:{PORT}")),
        None => Endpoint::Url(server.url().unwrap_or_default().to_owned()),
    }
}

/// How the launches of a run are confined.
pub(super) fn confinement(setup: &Setup<'_>, server: &ModelServer, surroundings: &Surroundings) -> Confinement {
    let Setup { spec, place, binary, helper, .. } = *setup;
    let mut confinement = Confinement::new(place.work()).limits(spec.sandbox_limits);
    for directory in [place.home(), place.tmp(), place.io()] {
        confinement = confinement.copied(directory);
    }
    confinement = surroundings.hidden.iter().fold(confinement, Confinement::hide);
    for path in surroundings.shown.iter().cloned().chain(programs(binary)).chain(helper.map(Path::to_owned)) {
        confinement = confinement.show(path);
    }
    for plugin in spec.plugin_dir.paths() {
        confinement = confinement.show(plugin);
    }
    for path in named_by_servers(spec) {
        confinement = match path.metadata() {
            Ok(metadata) if metadata.file_type().is_socket() => confinement.bind(path),
            Ok(metadata) if metadata.is_file() => confinement.show(path),
            // A directory was named to work on, not to be seen whole: it might be anybody's home.
            _ => confinement,
        };
    }
    if let Some(helper) = helper {
        confinement = confinement.listen_helper(helper);
    }
    match setup.model {
        Endpoint::Socket(socket) => confinement.bind(socket),
        Endpoint::Url(_) => {
            let doorway = server.doorway();
            confinement.listen(PORT, Listen::new(move |listener| doorway.serve(listener)))
        }
    }
}

/// The CLI's program and what lies beside it.
fn programs(binary: &Path) -> Vec<PathBuf> {
    let resolved = binary.canonicalize().unwrap_or_else(|_| binary.to_owned());
    let beside = resolved.parent().map(Path::to_owned);
    [Some(binary.to_owned()), Some(resolved), beside].into_iter().flatten().collect()
}

/// Programs, files and sockets that the MCP servers of a spec name.
fn named_by_servers(spec: &Spec) -> Vec<PathBuf> {
    let texts = |server: &Value| -> Vec<PathBuf> {
        let arguments = server["args"].as_array().into_iter().flatten();
        let texts = std::iter::once(&server["command"]).chain(arguments).filter_map(Value::as_str);
        texts.map(PathBuf::from).filter(|path| path.is_absolute()).collect()
    };
    spec.mcp_servers.values().flat_map(texts).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_servers_name_is_shown_and_directories_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("s");
        let _listener = UnixListener::bind(&socket).unwrap();
        let spec = Spec {
            mcp_servers: json!({
                "a": { "command": "/bin/sh", "args": ["mcp", socket, "--flag", 3] },
                "b": { "command": "node", "args": [directory.path()] },
                "c": { "url": "http://127.0.0.1/" },
            })
            .as_object()
            .cloned()
            .unwrap(),
            ..Spec::default()
        };
        let named = named_by_servers(&spec);
        assert_eq!(named, ["/bin/sh".into(), socket, directory.path().to_owned()]);
    }
}
