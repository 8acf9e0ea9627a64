-- A session with `paraproof lsp` in Neovim: nvim --headless --clean -n -l neovim.lua LINES FOLDER, with the lines of docs/how-to/editor.md.

local function wait(what, condition)
  assert(vim.wait(60000, condition, 20), "there is no " .. what)
end

local function go_to(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
end

local function session(path, variable, wrong)
  vim.cmd.edit(path)
  wait("diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)
  assert(#found == 1 and found[1].message:find(wrong, 1, true), vim.inspect(found))
  go_to(found[1].lnum + 1, found[1].col)
  vim.lsp.buf.code_action({ apply = true })
  wait("repair", function() return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0 end)

  go_to(vim.fn.search("var " .. variable), 4)
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local hover = client:request_sync("textDocument/hover", position, 20000, 0)
  assert(hover.result.contents.value:find(variable .. " : bool", 1, true), vim.inspect(hover))
  vim.lsp.buf.rename("Renamed")
  wait("rename", function() return vim.fn.search(variable .. "\\>\\C", "nw") == 0 end)
  vim.lsp.buf.format({ timeout_ms = 20000 })

  wait("verdict", function()
    vim.lsp.codelens.refresh({ bufnr = 0 })
    return vim.iter(vim.lsp.codelens.get(0)):any(function(lens) return lens.command.title:find("proven for any number") end)
  end)
  vim.cmd.write()
end

local ok, failed = pcall(function()
  dofile(arg[1])
  vim.cmd("filetype on")
  session(arg[2] .. "/lock.m", "free", "expected a name in quotes")
  session(arg[2] .. "/lock.cub", "Free", "expected `:=`")
end)
print(ok and "Neovim: the session is as expected\n" or failed .. "\n")
os.exit(ok and 0 or 1)
