package io.slicewise.lab.shell;

import java.util.List;
import java.util.Optional;

/**
 * The syntax tree of a shell script, built by {@link ScriptParser} and run by {@link Interpreter}.
 */
sealed interface Script {
  /** The empty script. */
  Script EMPTY = new Sequence(List.of());

  /** Commands in sequence, separated by {@code ;} or newlines. */
  record Sequence(List<Script> parts) implements Script {}

  /** {@code first && next} or {@code first || next}. */
  record Chain(Script first, boolean onSuccess, Script next) implements Script {}

  /** {@code a | b | c}. */
  record Pipeline(List<Script> parts) implements Script {}

  /** {@code ! command}. */
  record Not(Script command) implements Script {}

  /** {@code command &}. */
  record Background(Script command) implements Script {}

  /** {@code ( … )}, or {@code { …; }} if it is not a subshell. */
  record Group(Script body, boolean subshell) implements Script {}

  /** {@code if … then … elif … else … fi}. */
  record If(Script condition, Script then, Script otherwise) implements Script {}

  /** {@code while … do … done}; {@code until} is a while with a negated condition. */
  record While(Script condition, Script body) implements Script {}

  /**
   * {@code for NAME in A B; do … done}. Without words, it iterates over the script's parameters.
   */
  record For(String name, Optional<List<Word>> words, Script body) implements Script {}

  /** {@code case WORD in PATTERN) … ;; esac}. */
  record Case(Word subject, List<Branch> branches) implements Script {
    /** One branch of a {@code case}. */
    record Branch(List<Word> patterns, Script body) {}
  }

  /** A command with its assignments, words and redirections. */
  record Simple(List<Word> words) implements Script {}

  /** A command with redirections, in the order written. */
  record Redirected(Script command, List<Redirection> redirections) implements Script {}

  /**
   * One redirection.
   *
   * @param number the number of the redirected stream
   * @param operator {@code <}, {@code >}, {@code >>}, {@code <&} or {@code >&}
   */
  record Redirection(int number, String operator, Word target) {}

  /** A word before expansion. */
  record Word(List<Part> parts) {
    /** A part of a word. An unquoted part may expand to several words or to none. */
    record Part(Kind kind, String text, boolean quoted) {}

    /** The kind of a part. */
    enum Kind {
      /** Literal text. */
      TEXT,
      /** A parameter's name: a variable, a number, or one of {@code @ * # ? $ !}. */
      PARAMETER,
      /** An arithmetic expression. */
      ARITHMETIC,
      /** A script that is replaced by its output. */
      SUBSTITUTION
    }

    /**
     * Returns the text if nothing in it is quoted or expanded, so that it may be a reserved word.
     */
    String plain() {
      return parts.size() == 1 && parts.get(0).kind() == Kind.TEXT && !parts.get(0).quoted()
          ? parts.get(0).text()
          : "";
    }
  }
}
