//! The messages of the protocol, one after the other.
//!
//! Changes that arrive together are read together. A verdict is computed on a thread of its own, and given up with the next
//! change of the text.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, LogMessage, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRefresh, CodeLensRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request as _,
    SemanticTokensFullRequest,
};
use lsp_types::{
    CodeActionProviderCapability, CodeLensOptions, CompletionOptions, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, FoldingRangeProviderCapability, HoverProviderCapability,
    OneOf, Position, PublishDiagnosticsParams, RenameOptions, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensServerCapabilities, ServerCapabilities, TextDocumentContentChangeEvent, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde_json::{Map, Value};

use crate::document::{Document, legend};
use crate::{Language, Reader, Verifier};

/// A text that was not changed for so long is verified.
const QUIET: Duration = Duration::from_millis(300);

/// Why the server ended before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The client does not keep to the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// A message cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// A text to verify, with the number of changes until then.
struct Job {
    uri: Uri,
    language: Language,
    text: String,
    change: u64,
}

/// The outcome of a verification: the document, its change, and what `verify --json` printed.
type Verdict = (Uri, u64, Option<Map<String, Value>>);

/// Serves a client until it says that it is done.
///
/// # Errors
/// Returns an error if the client does not keep to the protocol.
pub fn serve(
    connection: &Connection,
    version: &str,
    read: Reader<'_>,
    verify: Arc<Verifier>,
) -> Result<(), ServerError> {
    let (id, parameters) = connection.initialize_start()?;
    let info = serde_json::json!({ "name": "paraproof", "version": version });
    let capabilities = serde_json::to_value(capabilities())?;
    connection.initialize_finish(id, serde_json::json!({ "capabilities": capabilities, "serverInfo": info }))?;
    let refreshes = parameters["capabilities"]["workspace"]["codeLens"]["refreshSupport"] == true;
    let (jobs, verdicts, change, worker) = worker(verify);
    let documents = BTreeMap::new();
    let mut server =
        Server { connection, read, documents, refreshes, sent: 0, jobs, change, unread: None, waiting: None };
    let ended = server.run(&verdicts);
    // A run that is given up ends before the server does. A panic of its thread was reported already.
    server.change.fetch_add(1, Ordering::SeqCst);
    drop(server);
    let _ = worker.join();
    ended
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        ..ServerCapabilities::default()
    }
}

/// A thread that verifies one text after the other. A run is given up when there is another change.
fn worker(verify: Arc<Verifier>) -> (Sender<Job>, Receiver<Verdict>, Arc<AtomicU64>, JoinHandle<()>) {
    let (send_job, jobs) = unbounded::<Job>();
    let (send_verdict, verdicts) = unbounded();
    let change = Arc::new(AtomicU64::new(0));
    let latest = Arc::clone(&change);
    let worker = thread::spawn(move || {
        for job in jobs {
            let is_latest = || latest.load(Ordering::SeqCst) == job.change;
            let summary = if is_latest() { verify(job.language, &job.text, &is_latest) } else { None };
            if send_verdict.send((job.uri, job.change, summary.filter(|_| is_latest()))).is_err() {
                return;
            }
        }
    });
    (send_job, verdicts, change, worker)
}

struct Unread {
    uri: Uri,
    version: i32,
    language: Language,
    text: String,
}

struct Server<'s> {
    connection: &'s Connection,
    read: Reader<'s>,
    documents: BTreeMap<String, Document>,
    /// Whether the client can be asked to ask for lenses again.
    refreshes: bool,
    /// Requests that were sent to the client.
    sent: i32,
    jobs: Sender<Job>,
    /// The number of changes up to now.
    change: Arc<AtomicU64>,
    /// A text that was changed and is not read yet, since there are more messages.
    unread: Option<Unread>,
    /// The text that was changed last, until it is verified.
    waiting: Option<(Uri, Instant)>,
}

impl Server<'_> {
    fn run(&mut self, verdicts: &Receiver<Verdict>) -> Result<(), ServerError> {
        loop {
            let quiet = self.waiting.as_ref().map(|(_, since)| QUIET.saturating_sub(since.elapsed()));
            let quiet = quiet.map_or_else(never, crossbeam_channel::after);
            select! {
                recv(self.connection.receiver) -> message => {
                    let Ok(message) = message else { break };
                    match self.message(message) {
                        Ok(false) => {}
                        Ok(true) => break,
                        // One message that is not understood is no reason to leave.
                        Err(ServerError::Json(error)) => self.log(&error.to_string()),
                        Err(error @ ServerError::Protocol(_)) => return Err(error),
                    }
                }
                recv(verdicts) -> verdict => {
                    if let Ok((uri, change, summary)) = verdict {
                        self.verdict(&uri, change, summary)?;
                    }
                }
                recv(quiet) -> _ => self.verify()?,
            }
        }
        Ok(())
    }

    /// Returns whether it was the last message.
    fn message(&mut self, message: Message) -> Result<bool, ServerError> {
        match message {
            Message::Notification(own) if own.method == DidChangeTextDocument::METHOD => self.change(own)?,
            Message::Request(request) => {
                self.read_changed()?;
                if self.connection.handle_shutdown(&request)? {
                    return Ok(true);
                }
                let response = self.answer(request);
                self.send(response);
            }
            Message::Notification(notification) => {
                self.read_changed()?;
                self.notified(notification)?;
            }
            Message::Response(_) => {}
        }
        if self.connection.receiver.is_empty() {
            self.read_changed()?;
        }
        Ok(false)
    }

    /// A client that is gone has no need of it.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    fn notified(&mut self, notification: Notification) -> Result<(), ServerError> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let DidOpenTextDocumentParams { text_document: own } = serde_json::from_value(notification.params)?;
                let language = Language::of(&own.language_id, own.uri.as_str());
                self.unread = Some(Unread { uri: own.uri, version: own.version, language, text: own.text });
                self.read_changed()
            }
            DidCloseTextDocument::METHOD => {
                let DidCloseTextDocumentParams { text_document: own } = serde_json::from_value(notification.params)?;
                self.change.fetch_add(1, Ordering::SeqCst);
                self.documents.remove(own.uri.as_str());
                self.waiting = self.waiting.take().filter(|(uri, _)| *uri != own.uri);
                self.publish_of(own.uri, Vec::new(), None)
            }
            _ => Ok(()),
        }
    }

    /// Changes a text, which is read when there is time.
    fn change(&mut self, notification: Notification) -> Result<(), ServerError> {
        let change: DidChangeTextDocumentParams = serde_json::from_value(notification.params)?;
        let uri = change.text_document.uri;
        if self.unread.as_ref().is_some_and(|unread| unread.uri != uri) {
            self.read_changed()?;
        }
        let unread = self.unread.take().map(|unread| (unread.language, unread.text));
        let known = || self.documents.get(uri.as_str()).map(|document| (document.language, document.text.clone()));
        let Some((language, text)) = unread.or_else(known) else { return Ok(()) };
        let text = changed(&text, &change.content_changes);
        self.unread = Some(Unread { uri, version: change.text_document.version, language, text });
        self.change.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Reads the text that was changed, and says what was found in it.
    fn read_changed(&mut self) -> Result<(), ServerError> {
        let Some(Unread { uri, version, language, text }) = self.unread.take() else { return Ok(()) };
        self.change.fetch_add(1, Ordering::SeqCst);
        let document = Document::new(uri.clone(), version, language, text, self.read);
        self.waiting = document.can_be_verified().then(|| (uri.clone(), Instant::now()));
        self.documents.insert(uri.as_str().to_owned(), document);
        self.publish(&uri)
    }

    fn log(&self, message: &str) {
        const ERROR: u8 = 1;
        let parameters = serde_json::json!({ "type": ERROR, "message": message });
        self.send(Notification::new(LogMessage::METHOD.to_owned(), parameters));
    }

    fn publish(&self, uri: &Uri) -> Result<(), ServerError> {
        let Some(document) = self.documents.get(uri.as_str()) else { return Ok(()) };
        self.publish_of(uri.clone(), document.diagnostics(), Some(document.version))
    }

    fn publish_of(
        &self,
        uri: Uri,
        diagnostics: Vec<lsp_types::Diagnostic>,
        version: Option<i32>,
    ) -> Result<(), ServerError> {
        let parameters = serde_json::to_value(PublishDiagnosticsParams { uri, diagnostics, version })?;
        self.send(Notification::new(PublishDiagnostics::METHOD.to_owned(), parameters));
        Ok(())
    }

    /// Gives the text that was changed last to the verifier.
    fn verify(&mut self) -> Result<(), ServerError> {
        let Some((uri, _)) = self.waiting.take() else { return Ok(()) };
        let Some(document) = self.documents.get(uri.as_str()) else { return Ok(()) };
        let (language, text) = (document.language, document.text.clone());
        let change = self.change.load(Ordering::SeqCst);
        // The worker ends when the server does.
        let _ = self.jobs.send(Job { uri, language, text, change });
        self.refresh();
        Ok(())
    }

    fn verdict(&mut self, uri: &Uri, change: u64, summary: Option<Map<String, Value>>) -> Result<(), ServerError> {
        if change != self.change.load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return Ok(()) };
        document.summary = summary;
        self.publish(uri)?;
        self.refresh();
        Ok(())
    }

    /// Asks the client to ask for lenses again.
    fn refresh(&mut self) {
        if self.refreshes {
            self.sent += 1;
            self.send(Request::new(RequestId::from(self.sent), CodeLensRefresh::METHOD.to_owned(), Value::Null));
        }
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        match self.result(request) {
            Ok(Some(result)) => Response::new_ok(id, result),
            Ok(None) => Response::new_ok(id, Value::Null),
            Err(Refused::Unknown(method)) => {
                Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("{method} is not supported"))
            }
            Err(Refused::Json(error)) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
            Err(Refused::Failed(message)) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
        }
    }

    fn result(&self, request: Request) -> Result<Option<Value>, Refused> {
        let Request { method, params, .. } = request;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let Some(document) = self.documents.get(&uri) else { return Ok(None) };
        let position = || -> Result<Position, Refused> {
            Ok(serde_json::from_value::<TextDocumentPositionParams>(params.clone())?.position)
        };
        let value = match method.as_str() {
            HoverRequest::METHOD => serde_json::to_value(document.hover(position()?))?,
            GotoDefinition::METHOD => serde_json::to_value(document.definition(position()?))?,
            References::METHOD => {
                let with_declaration = params["context"]["includeDeclaration"] == true;
                serde_json::to_value(document.references(position()?, with_declaration))?
            }
            PrepareRenameRequest::METHOD => serde_json::to_value(document.renamed(position()?))?,
            Rename::METHOD => {
                let name = params["newName"].as_str().unwrap_or_default();
                let edit = document.rename(position()?, name, self.read);
                serde_json::to_value(edit.map_err(|error| Refused::Failed(error.to_string()))?)?
            }
            Completion::METHOD => serde_json::to_value(document.completions(position()?))?,
            FoldingRangeRequest::METHOD => serde_json::to_value(document.folds())?,
            SemanticTokensFullRequest::METHOD => serde_json::to_value(document.tokens())?,
            DocumentSymbolRequest::METHOD => serde_json::to_value(document.symbols())?,
            Formatting::METHOD => {
                let edits = document.formatted().map_err(|error| Refused::Failed(error.to_string()))?;
                serde_json::to_value(edits)?
            }
            CodeActionRequest::METHOD => {
                let range = serde_json::from_value(params["range"].clone())?;
                serde_json::to_value(document.code_actions(range))?
            }
            CodeLensRequest::METHOD => serde_json::to_value(document.lenses(self.is_running(document)))?,
            _ => return Err(Refused::Unknown(method)),
        };
        Ok(Some(value))
    }

    /// Whether a verdict is to come.
    fn is_running(&self, document: &Document) -> bool {
        document.summary.is_none() && document.can_be_verified()
    }
}

/// Why a request has no result.
enum Refused {
    Unknown(String),
    Json(serde_json::Error),
    Failed(String),
}

impl From<serde_json::Error> for Refused {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// A text after changes, each of which is to the text that the one before leaves.
fn changed(text: &str, changes: &[TextDocumentContentChangeEvent]) -> String {
    changes.iter().fold(text.to_owned(), |mut text, change| match change.range {
        None => change.text.clone(),
        Some(range) => {
            let lines = crate::lines::Lines::new(&text);
            let (start, end) = (lines.offset(&text, range.start), lines.offset(&text, range.end));
            text.replace_range(start..end.max(start), &change.text);
            text
        }
    })
}
