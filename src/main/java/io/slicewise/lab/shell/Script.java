package io.slicewise.lab.shell;

import java.util.List;
import java.util.Optional;

/**
 * The syntax tree of a shell script: what {@link ScriptParser} reads and {@link Interpreter} runs.
 */
sealed interface Script {
  /** Nothing to do. */
  Script EMPTY = new Sequence(List.of());

  /** Commands one after the other, separated by {@code ;} or new lines. */
  record Sequence(List<Script> parts) implements Script {}

  /** {@code first && next} or {@code first || next}. */
  record Chain(Script first, boolean onSuccess, Script next) implements Script {}

  /** {@code a | b | c}. */
  record Pipeline(List<Script> parts) implements Script {}

  /** {@code ! command}. */
  record Not(Script command) implements Script {}

  /** {@code command &}. */
  record Background(Script command) implements Script {}

  /** {@code ( … )}, or {@code { …; }} if it is no shell of its own. */
  record Group(Script body, boolean subshell) implements Script {}

  /** {@code if … then … elif … else … fi}. */
  record If(Script condition, Script then, Script otherwise) implements Script {}

  /** {@code while … do … done}; {@code until} is a while of the opposite. */
  record While(Script condition, Script body) implements Script {}

  /** {@code for NAME in WORDS; do … done}; no words stand for the script's parameters. */
  record For(String name, Optional<List<Word>> words, Script body) implements Script {}

  /** {@code case WORD in PATTERN) … ;; esac}. */
  record Case(Word subject, List<Branch> branches) implements Script {
    /** One branch. */
    record Branch(List<Word> patterns, Script body) {}
  }

  /** A command with its assignments, words and redirections. */
  record Simple(List<Word> words) implements Script {}

  /** A command whose streams go elsewhere, in the order written. */
  record Redirected(Script command, List<Redirection> redirections) implements Script {}

  /**
   * One redirection.
   *
   * @param number of the stream that is redirected
   * @param operator {@code <}, {@code >}, {@code >>}, {@code <&} or {@code >&}
   */
  record Redirection(int number, String operator, Word target) {}

  /** A word before it is expanded. */
  record Word(List<Part> parts) {
    /** A part of a word; what is not quoted may become several words or none. */
    record Part(Kind kind, String text, boolean quoted) {}

    /** What a part is. */
    enum Kind {
      /** As it is. */
      TEXT,
      /** A parameter's name: a variable, a number, or one of {@code @ * # ? $ !}. */
      PARAMETER,
      /** An arithmetic expression. */
      ARITHMETIC,
      /** A script whose output takes its place. */
      SUBSTITUTION
    }

    /** The text if nothing in it is quoted or expanded, so that it may be a reserved word. */
    String plain() {
      return parts.size() == 1 && parts.get(0).kind() == Kind.TEXT && !parts.get(0).quoted()
          ? parts.get(0).text()
          : "";
    }
  }
}
