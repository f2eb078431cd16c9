;;; eglot.el --- The language server in Emacs with eglot  -*- lexical-binding: t -*-
;; Run with `emacs --batch -q --no-site-file -l eglot.el'.  The environment names the program and the discussion.

(dolist (folder '("/usr/share/emacs/site-lisp/elpa" "/usr/share/emacs/site-lisp/elpa-src"))
  (when (file-directory-p folder)
    (dolist (package (directory-files folder t "^[a-z]"))
      (add-to-list 'load-path package))))
(require 'eglot)
(require 'project)

(defvar failures 0)

(defun check (name is-so)
  "Print the result of the check NAME, which passed if IS-SO."
  (unless is-so (setq failures (1+ failures)))
  (princ (format "%s: eglot: %s\n" (if is-so "passed" "failed") name)))

(defun wait-for (condition)
  "Wait until CONDITION returns a value, at most 20 seconds, and return it."
  (let ((tries 0) (value nil))
    (while (and (not (setq value (funcall condition))) (< tries 400))
      (accept-process-output nil 0.05)
      (setq tries (1+ tries)))
    value))

(defun messages ()
  "Return the texts of all diagnostics."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun has-message (text)
  "Return true if a diagnostic contains TEXT."
  (seq-some (lambda (one) (string-match-p (regexp-quote text) one)) (messages)))

(define-derived-mode page-mode text-mode "Page" "Markdown without a package.")
(put 'page-mode 'eglot-language-id "markdown")

(condition-case error
    (let ((program (getenv "DISCUSSIONS")) (file (getenv "DISCUSSION")))
      (setq eglot-sync-connect 20 eglot-autoshutdown nil make-backup-files nil create-lockfiles nil)
      (add-to-list 'eglot-server-programs `(page-mode ,program "lsp"))
      (find-file file)
      (page-mode)
      (apply #'eglot--connect (eglot--guess-contact))
      (check "the server starts" (wait-for #'eglot-current-server))
      (eglot--managed-mode 1)
      (flymake-start)
      (check "diagnostics" (wait-for (lambda () (flymake-start) (has-message "@nobody"))))
      (goto-char (point-min))
      (search-forward "Q: Which")
      (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                    (eglot--TextDocumentPositionParams))))
        (check "hover" (and hover (string-match-p "Which tea" (format "%s" hover)))))
      (goto-char (point-max))
      (search-backward "A: ")
      (forward-char 3)
      (let ((found (jsonrpc-request (eglot--current-server-or-lose) :textDocument/completion
                                    (eglot--CompletionParams))))
        (check "completion" (string-match-p "Q1" (format "%s" found))))
      (goto-char (point-min))
      (search-forward "@nobody")
      (replace-match "@architect")
      (eglot--signal-textDocument/didChange)
      (check "typing" (wait-for (lambda () (flymake-start) (not (has-message "@nobody")))))
      (goto-char (point-max))
      (insert "\nMine.\n\n---\n")
      (write-region "\nTheirs.\n" nil file t 'silent)
      (set-visited-file-modtime)
      (save-buffer)
      (let ((saved (with-temp-buffer (insert-file-contents file) (buffer-string))))
        (check "saving keeps both texts"
               (let ((theirs (string-match "Theirs" saved)) (mine (string-match "Mine" saved)))
                 (and theirs mine (< theirs mine))))))
  (error (princ (format "failed: eglot: no error: %S\n" error)) (setq failures (1+ failures))))
(kill-emacs (if (= failures 0) 0 1))
;;; eglot.el ends here
