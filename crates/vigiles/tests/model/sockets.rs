//! Servers on unix sockets.

use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;

use vigiles::model::{Api, ModelError, ModelServer, Script, Turn};

use super::client::{Ask, send};

fn script() -> Script {
    Script::new([Turn::text("over a socket")])
}

fn listen(path: impl Into<PathBuf>) -> Result<ModelServer, ModelError> {
    ModelServer::on_unix_socket(Api::Messages, script(), path)
}

#[tokio::test]
async fn it_answers_there_and_removes_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.sock");
    let server = listen(&path).unwrap();
    assert_eq!((server.url(), server.socket()), (None, Some(&*path)));
    assert!(path.symlink_metadata().unwrap().file_type().is_socket());
    assert_eq!(send(&server, Ask::main("Hello")).await.said(), "over a socket");
    drop(server);
    assert!(path.symlink_metadata().is_err());
}

#[tokio::test]
async fn a_long_path_is_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let room = 107 - dir.path().as_os_str().len() - 1;
    let fits = dir.path().join("x".repeat(room));
    assert_eq!(send(&listen(&fits).unwrap(), Ask::main("Hello")).await.said(), "over a socket");

    let error = listen(dir.path().join("x".repeat(room + 1))).unwrap_err();
    assert_eq!(error.code(), "VIGILES_MODEL_LISTEN");
    assert!(error.to_string().contains("has 108 bytes, and the system allows 107"), "{error}");
    assert_eq!(dir.path().read_dir().unwrap().count(), 0);
}

#[tokio::test]
async fn a_socket_without_a_server_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.sock");
    // Dropping the listener leaves the file, as a server does that is killed.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.symlink_metadata().is_ok());
    let server = listen(&path).unwrap();
    assert_eq!(send(&server, Ask::main("Hello")).await.said(), "over a socket");
}

#[tokio::test]
async fn what_is_in_use_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.sock");
    let server = listen(&path).unwrap();
    let error = listen(&path).unwrap_err();
    assert_eq!(error.code(), "VIGILES_MODEL_LISTEN");
    assert_eq!(send(&server, Ask::main("Hello")).await.said(), "over a socket");

    let file = dir.path().join("notes.txt");
    std::fs::write(&file, "mine").unwrap();
    assert_eq!(listen(&file).unwrap_err().code(), "VIGILES_MODEL_LISTEN");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");

    let missing = listen(dir.path().join("no/such/dir.sock")).unwrap_err();
    assert_eq!(missing.code(), "VIGILES_MODEL_LISTEN");
    assert!(missing.to_string().contains("no/such/dir.sock"), "{missing}");
}

#[tokio::test]
async fn a_script_that_cannot_be_served_is_refused_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.sock");
    let bad = Script::new([Turn::text("1"), Turn::default()]);
    let error = ModelServer::on_unix_socket(Api::Messages, bad, &path).unwrap_err();
    assert_eq!(error.code(), "VIGILES_MODEL_TURN");
    assert!(error.to_string().starts_with("turn 2 of the model script"), "{error}");
    assert!(path.symlink_metadata().is_err());
}
