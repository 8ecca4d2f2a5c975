package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sed}: the commands {@code s}, {@code p}, {@code d} and {@code q} with addresses. */
record Sed(HostFiles files) implements Program {
  private static final int USAGE = 1;
  private static final int MISSING = 2;

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(), "nEre:", "quiet=n silent=n regexp-extended=E expression=e:");
    List<String> operands = new ArrayList<>(options.operands());
    List<String> scripts = new ArrayList<>(options.all('e'));
    if (scripts.isEmpty() && !operands.isEmpty()) {
      scripts.add(operands.remove(0));
    }
    List<SedCommand> commands = new ArrayList<>();
    try {
      for (String script : scripts) {
        commands.addAll(SedCommand.all(script, options.has('E') || options.has('r')));
      }
    } catch (IllegalArgumentException unknown) {
      invocation.complain("sed: -e expression #1, %s\n", unknown.getMessage());
      return USAGE;
    }
    StringBuilder text = new StringBuilder();
    int status = 0;
    for (String name : operands.isEmpty() ? List.of("-") : operands) {
      try {
        byte[] bytes =
            name.equals("-")
                ? invocation.input().readAllBytes()
                : files.read(invocation.path(name));
        text.append(new String(bytes, StandardCharsets.UTF_8));
      } catch (FileNotFoundException missing) {
        invocation.complain("sed: can't read %s: No such file or directory\n", name);
        status = MISSING;
      }
    }
    invocation.print("%s", edited(text.toString(), commands, options.has('n')));
    return status;
  }

  private static String edited(String text, List<SedCommand> commands, boolean silent) {
    List<String> lines = text.lines().toList();
    StringBuilder output = new StringBuilder();
    for (int at = 0; at < lines.size(); at++) {
      Edit edit = new Edit(lines.get(at));
      boolean last = at == lines.size() - 1;
      for (SedCommand command : commands) {
        if (!edit.deleted && command.selects(edit.line, at + 1, last)) {
          edit.apply(command);
        }
      }
      output.append(edit.printed);
      if (!silent && !edit.deleted) {
        output.append(edit.line).append('\n');
      }
      if (edit.quits) {
        break;
      }
    }
    boolean open = !text.isEmpty() && !text.endsWith("\n") && output.length() > 0;
    return open ? output.substring(0, output.length() - 1) : output.toString();
  }

  private static final class Edit {
    private String line;
    private String printed = "";
    private boolean deleted;
    private boolean quits;

    Edit(String line) {
      this.line = line;
    }

    void apply(SedCommand command) {
      switch (command.letter()) {
        case 'd' -> deleted = true;
        case 'p' -> printed += line + "\n";
        case 'q' -> quits = true;
        default -> substitute(command);
      }
    }

    private void substitute(SedCommand command) {
      Matcher matcher = Pattern.compile(command.regex()).matcher(line);
      if (!matcher.find()) {
        return;
      }
      line =
          command.flags().contains("g")
              ? matcher.replaceAll(command.replacement())
              : matcher.replaceFirst(command.replacement());
      if (command.flags().contains("p")) {
        printed += line + "\n";
      }
    }
  }
}
