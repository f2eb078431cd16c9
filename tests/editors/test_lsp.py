"""The language server with the recorded capabilities of real clients."""

import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from conftest import TEXT

PROGRAM = os.environ["DISCUSSIONS"]
CLIENTS = ["neovim@0.6.1", "neovim@0.11.0", "emacs@29.1", "visual_studio_code@1.65.2"]
LINE = TEXT.split("\n").index("\N{MATHEMATICAL DOUBLE-STRUCK SMALL X}\N{LATIN SMALL LETTER E WITH ACUTE} @nobody")


@pytest_lsp.fixture(params=CLIENTS, config=ClientServerConfig(server_command=[PROGRAM, "lsp"]))
async def client(request, lsp_client: LanguageClient, discussion: pathlib.Path):
    """Starts the server as this client does."""
    folder = discussion.parent.parent
    parameters = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        root_uri=folder.as_uri(),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="work")],
    )

    # Clients with dynamic registration answer this request; the harness has no answer of its own.
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams) -> None:
        return None

    lsp_client.told = await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, path: pathlib.Path, text: str = TEXT) -> str:
    """Opens a document and returns its address."""
    uri = path.as_uri()
    document = types.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    return uri


def column(client: LanguageClient) -> int:
    """Returns the column of the mark behind the two letters, in the unit that the server chose."""
    encoding = client.told.capabilities.position_encoding or "utf-16"
    return {"utf-8": 7, "utf-16": 4, "utf-32": 3}[str(getattr(encoding, "value", encoding))]


def at(uri: str, line: int, character: int) -> dict:
    """Returns the parameters of a request about a position."""
    return {
        "text_document": types.TextDocumentIdentifier(uri=uri),
        "position": types.Position(line=line, character=character),
    }


@pytest.mark.asyncio
async def test_diagnostics_are_pushed_in_the_units_of_the_client(client: LanguageClient, discussion):
    uri = opened(client, discussion)
    await client.wait_for_notification("textDocument/publishDiagnostics")
    found = {one.code: one for one in client.diagnostics[uri]}
    assert found["vote-unknown"].severity == types.DiagnosticSeverity.Error
    mention = found["mention-unknown"].range
    assert (mention.start.line, mention.start.character) == (LINE, column(client))
    assert mention.end.character == column(client) + len("@nobody")


@pytest.mark.asyncio
async def test_numbers_are_completed(client: LanguageClient, discussion):
    uri = opened(client, discussion)
    parameters = types.CompletionParams(**at(uri, LINE + 2, 3))
    found = await client.text_document_completion_async(parameters)
    assert [item.label for item in found.items] == ["Q1"]


@pytest.mark.asyncio
async def test_explanations_outline_and_places(client: LanguageClient, discussion):
    uri = opened(client, discussion)
    hover = await client.text_document_hover_async(types.HoverParams(**at(uri, 6, 0)))
    assert hover.contents.value.startswith("Q1 (open), Mira: Which tea?")
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=types.TextDocumentIdentifier(uri=uri))
    )
    assert symbols[0].name == "Mira"
    places = await client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(True), **at(uri, 6, 0))
    )
    assert [place.range.start.line for place in places] == [6]


@pytest.mark.asyncio
async def test_a_cancelled_request_is_answered_once(client: LanguageClient, discussion):
    uri = opened(client, discussion)
    parameters = types.DocumentSymbolParams(text_document=types.TextDocumentIdentifier(uri=uri))
    method = "textDocument/documentSymbol"
    request = asyncio.ensure_future(client.protocol.send_request_async(method, parameters, "one"))
    await asyncio.sleep(0)
    client.cancel_request(types.CancelParams(id="one"))
    client.cancel_request(types.CancelParams(id="one"))
    try:
        # The answer may have been on its way.
        assert await request
    except JsonRpcException as error:
        assert error.code == types.LSPErrorCodes.RequestCancelled
    hover = await client.text_document_hover_async(types.HoverParams(**at(uri, 6, 0)))
    assert hover is not None


@pytest.mark.asyncio
async def test_incremental_edits_are_followed(client: LanguageClient, discussion):
    uri = opened(client, discussion)
    await client.wait_for_notification("textDocument/publishDiagnostics")
    start = types.Position(line=LINE, character=column(client))
    end = types.Position(line=LINE, character=column(client) + len("@nobody"))
    change = types.TextDocumentContentChangePartial(range=types.Range(start, end), text="@architect")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[change],
        )
    )
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert "mention-unknown" not in {one.code for one in client.diagnostics[uri]}
