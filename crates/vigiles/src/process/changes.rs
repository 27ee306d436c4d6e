/// What changed in a directory, by content. Paths are relative to it, with `/`, lossy where they are not UTF-8, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileChanges {
    /// Files and links that are new or have another content.
    pub written: Vec<String>,
    /// Those of `written` that were there before.
    pub changed: Vec<String>,
    /// Files and links that are not there any more.
    pub deleted: Vec<String>,
}
