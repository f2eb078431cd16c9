-- The language server in Neovim: run with `nvim --headless -u NONE -i NONE -c 'luafile nvim.lua'` in a project folder. The
-- environment names the program and the discussion.

local program, file = vim.env.DISCUSSIONS, vim.env.DISCUSSION
local failed = 0

local function check(name, is_so, found)
  if is_so then
    io.stdout:write('passed: neovim: ' .. name .. '\n')
  else
    failed = failed + 1
    io.stdout:write('failed: neovim: ' .. name .. ': ' .. vim.inspect(found) .. '\n')
  end
end

-- Waits until a condition holds, at most 20 seconds.
local function wait(condition)
  return vim.wait(20000, condition, 20)
end

local function codes()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    found[one.code] = one
  end
  return found
end

local function line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then return number, line end
  end
end

local function request(method, line, column)
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = column },
    range = { start = { line = line, character = 0 }, ['end'] = { line = line, character = column } },
    context = { diagnostics = {}, includeDeclaration = true },
  }
  local answer = client:request_sync(method, params, 20000, 0)
  return answer and answer.result
end

local function run()
  vim.o.swapfile = false
  vim.lsp.config('discussions', { cmd = { program, 'lsp' }, filetypes = { 'markdown' }, root_markers = { 'discussions.yaml' } })
  vim.lsp.enable('discussions')
  vim.cmd.edit(file)
  vim.bo.filetype = 'markdown'
  check('the server starts', wait(function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end))
  check('diagnostics', wait(function() return codes()['mention-unknown'] ~= nil end), vim.diagnostic.get(0))
  local mention = codes()['mention-unknown']
  local number, text = line_with('@nobody')
  check('the mark is at its byte', mention and mention.col == text:find('@', 1, true) - 1, mention)

  local last = vim.api.nvim_buf_line_count(0)
  local found = request('textDocument/completion', line_with('A: ') - 1, 3)
  check('completion', found and found.items and found.items[1].label == 'Q1', found)
  local hover = request('textDocument/hover', 6, 1)
  check('hover', hover and hover.contents.value:find('Which tea', 1, true), hover)
  local hints = request('textDocument/inlayHint', last, 0)
  check('hints', hints ~= nil, hints)
  local symbols = request('textDocument/documentSymbol', 0, 0)
  check('symbols', symbols and symbols[1].name == 'Mira', symbols)
  local folds = request('textDocument/foldingRange', 0, 0)
  check('folds', folds ~= nil, folds)

  vim.api.nvim_buf_set_text(0, number - 1, mention.col, number - 1, mention.end_col, { '@architct' })
  check('typing', wait(function()
    local one = codes()['mention-unknown']
    return one and one.message:find('architct', 1, true)
  end), vim.diagnostic.get(0))
  local actions = request('textDocument/codeAction', number - 1, 20)
  local fix = nil
  for _, one in ipairs(actions or {}) do
    if one.title == 'Did you mean @architect?' then fix = one end
  end
  if fix then vim.lsp.util.apply_workspace_edit(fix.edit, vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding) end
  local _, fixed = line_with('@architect')
  check('a quick fix', fixed ~= nil, actions)
  check('the problem is gone', wait(function() return codes()['mention-unknown'] == nil end), vim.diagnostic.get(0))

  -- A run appends to the file while the buffer has other text.
  local typed = { '', 'Mine.', '', '---' }
  vim.api.nvim_buf_set_lines(0, -1, -1, false, typed)
  local handle = io.open(file, 'a')
  handle:write('\nTheirs.\n')
  handle:close()
  vim.cmd('silent! write!')
  check('saving keeps both texts', wait(function()
    local saved = table.concat(vim.fn.readfile(file), '\n')
    local theirs, mine = saved:find('Theirs.', 1, true), saved:find('Mine.', 1, true)
    return theirs and mine and theirs < mine
  end), vim.fn.readfile(file))
end

local is_ok, message = pcall(run)
if not is_ok then check('no error', false, message) end
vim.cmd(failed == 0 and 'qa!' or 'cq')
