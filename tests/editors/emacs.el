;; A session with `paraproof lsp` in Emacs: emacs --batch -l emacs.el LINES FOLDER, with the lines of docs/how-to/editor.md.

(load (pop command-line-args-left))
(require 'eglot)

(defun wait (what condition)
  (let ((left 600))
    (while (not (funcall condition))
      (when (zerop (setq left (1- left))) (error "There is no %s" what))
      (accept-process-output nil 0.1))))

;; Where nobody types, Emacs is never idle, so that what it does then has to be said.
(defun tell () (eglot--signal-textDocument/didChange) (flymake-start))

(defun session (path variable wrong)
  (find-file path)
  (let ((eglot-sync-connect 30)) (apply #'eglot (eglot--guess-contact)))
  (tell)
  (wait "diagnostic" #'flymake-diagnostics)
  (let ((found (car (flymake-diagnostics))))
    (unless (string-match-p (regexp-quote wrong) (flymake-diagnostic-text found)) (error "%S" found))
    (let ((actions (eglot-code-actions (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
      (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit))))
  (tell)
  (wait "repair" (lambda () (not (seq-find (lambda (it) (eq (flymake-diagnostic-type it) 'eglot-error)) (flymake-diagnostics)))))
  (goto-char (point-min))
  (search-forward (concat "var " variable))
  (backward-word)
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams))))
    (unless (string-match-p (concat variable " : bool") (plist-get (plist-get hover :contents) :value)) (error "%S" hover)))
  (eglot-rename "Renamed")
  (eglot-format-buffer)
  (save-buffer))

(let ((folder (pop command-line-args-left)))
  (session (concat folder "/lock.m") "free" "expected a name in quotes")
  (session (concat folder "/lock.cub") "Free" "expected `:=`")
  (message "Emacs: the session is as expected"))
