package io.slicewise.lab.shell;

import io.slicewise.lab.shell.Script.Case;
import io.slicewise.lab.shell.Script.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses scripts in the grammar of the POSIX shell, without functions and here-documents. */
final class ScriptParser {
  private static final Set<String> CLOSING =
      Set.of("then", "elif", "else", "fi", "do", "done", "esac", "}");

  private final ScriptLexer lexer;

  private ScriptParser(String text) {
    lexer = new ScriptLexer(text);
  }

  static Script parse(String text) throws ShellSyntaxException {
    ScriptParser parser = new ScriptParser(text);
    Script script = parser.list();
    if (!parser.lexer.atEnd()) {
      throw parser.unexpected();
    }
    return script;
  }

  private ShellSyntaxException unexpected() throws ShellSyntaxException {
    String operator = lexer.operator();
    String token = operator.isEmpty() ? lexer.peekPlain() : operator.replace("\n", "newline");
    return new ShellSyntaxException(
        "syntax error near unexpected token `" + (lexer.atEnd() ? "newline" : token) + "'");
  }

  private Script list() throws ShellSyntaxException {
    List<Script> parts = new ArrayList<>();
    skipNewlines();
    while (startsCommand()) {
      Script part = chain();
      if (lexer.take("&")) {
        parts.add(new Script.Background(part));
      } else {
        parts.add(part);
        if (!lexer.take(";") && !lexer.take("\n")) {
          break;
        }
      }
      skipNewlines();
    }
    return parts.size() == 1 ? parts.get(0) : new Script.Sequence(parts);
  }

  private void skipNewlines() {
    while (lexer.take("\n")) {
      // Skip all consecutive newlines.
    }
  }

  private boolean startsCommand() throws ShellSyntaxException {
    if (lexer.atEnd()) {
      return false;
    }
    String operator = lexer.operator();
    return operator.isEmpty()
        ? !CLOSING.contains(lexer.peekPlain())
        : operator.equals("(") || operator.startsWith("<") || operator.startsWith(">");
  }

  private Script chain() throws ShellSyntaxException {
    Script first = pipeline();
    while (true) {
      if (lexer.take("&&")) {
        skipNewlines();
        first = new Script.Chain(first, true, pipeline());
      } else if (lexer.take("||")) {
        skipNewlines();
        first = new Script.Chain(first, false, pipeline());
      } else {
        return first;
      }
    }
  }

  private Script pipeline() throws ShellSyntaxException {
    boolean negated = word("!");
    List<Script> parts = new ArrayList<>(List.of(command()));
    while (lexer.take("|")) {
      skipNewlines();
      parts.add(command());
    }
    Script all = parts.size() == 1 ? parts.get(0) : new Script.Pipeline(parts);
    return negated ? new Script.Not(all) : all;
  }

  /** Consumes a reserved word if it comes next. */
  private boolean word(String reserved) throws ShellSyntaxException {
    boolean there = lexer.peekPlain().equals(reserved);
    if (there) {
      lexer.word();
    }
    return there;
  }

  private void expect(String reserved) throws ShellSyntaxException {
    if (!word(reserved)) {
      throw unexpected();
    }
  }

  private Script command() throws ShellSyntaxException {
    if (!startsCommand()) {
      throw unexpected();
    }
    Script compound;
    if (lexer.take("(")) {
      compound = new Script.Group(list(), true);
      if (!lexer.take(")")) {
        throw unexpected();
      }
    } else if (word("{")) {
      compound = new Script.Group(list(), false);
      expect("}");
    } else if (word("if")) {
      compound = branches();
    } else if (word("while")) {
      compound = loop(false);
    } else if (word("until")) {
      compound = loop(true);
    } else if (word("for")) {
      compound = forLoop();
    } else if (word("case")) {
      compound = cases();
    } else {
      return simple();
    }
    List<Script.Redirection> redirections = new ArrayList<>();
    while (redirection(redirections)) {
      // All redirections that follow apply to it.
    }
    return redirections.isEmpty() ? compound : new Script.Redirected(compound, redirections);
  }

  private Script branches() throws ShellSyntaxException {
    Script condition = list();
    expect("then");
    Script then = list();
    if (word("elif")) {
      return new Script.If(condition, then, branches());
    }
    Script otherwise = word("else") ? list() : Script.EMPTY;
    expect("fi");
    return new Script.If(condition, then, otherwise);
  }

  private Script loop(boolean until) throws ShellSyntaxException {
    Script condition = list();
    return new Script.While(until ? new Script.Not(condition) : condition, body());
  }

  private Script body() throws ShellSyntaxException {
    expect("do");
    Script body = list();
    expect("done");
    return body;
  }

  private Script forLoop() throws ShellSyntaxException {
    String name = lexer.word().plain();
    Optional<List<Word>> words = Optional.empty();
    skipNewlines();
    if (word("in")) {
      List<Word> all = new ArrayList<>();
      while (!lexer.atEnd() && lexer.operator().isEmpty()) {
        all.add(lexer.word());
      }
      words = Optional.of(all);
    }
    lexer.take(";");
    skipNewlines();
    return new Script.For(name, words, body());
  }

  private Script cases() throws ShellSyntaxException {
    Word subject = lexer.word();
    skipNewlines();
    expect("in");
    List<Case.Branch> branches = new ArrayList<>();
    skipNewlines();
    while (!word("esac")) {
      lexer.take("(");
      List<Word> patterns = new ArrayList<>(List.of(lexer.word()));
      while (lexer.take("|")) {
        patterns.add(lexer.word());
      }
      if (!lexer.take(")")) {
        throw unexpected();
      }
      branches.add(new Case.Branch(patterns, list()));
      skipNewlines();
      boolean ended = lexer.take(";;");
      skipNewlines();
      if (!ended && !lexer.peekPlain().equals("esac")) {
        throw unexpected();
      }
    }
    return new Case(subject, branches);
  }

  private Script simple() throws ShellSyntaxException {
    List<Word> words = new ArrayList<>();
    List<Script.Redirection> redirections = new ArrayList<>();
    while (!lexer.atEnd()) {
      if (redirection(redirections)) {
        continue;
      }
      if (!lexer.operator().isEmpty()) {
        break;
      }
      words.add(lexer.word());
    }
    if (lexer.operator().equals("(") || lexer.operator().equals("<<")) {
      throw unexpected();
    }
    Script simple = new Script.Simple(words);
    return redirections.isEmpty() ? simple : new Script.Redirected(simple, redirections);
  }

  private boolean redirection(List<Script.Redirection> all) throws ShellSyntaxException {
    Optional<Integer> number = lexer.streamNumber();
    for (String operator : List.of(">>", ">&", "<&", ">", "<")) {
      if (lexer.take(operator)) {
        int stream = number.orElse(operator.startsWith("<") ? 0 : 1);
        all.add(new Script.Redirection(stream, operator, lexer.word()));
        return true;
      }
    }
    return false;
  }

  /** Thrown for a script that is wrong, or that needs a feature this shell lacks. */
  public static final class ShellSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    ShellSyntaxException(String message) {
      super(message);
    }
  }
}
