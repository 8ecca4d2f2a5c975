package io.slicewise.cli;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.report.table.Wrap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise help}: prints a document, or the help of a command. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    description = "Prints a document, or the help of a command.",
    footer = {"", "slicewise help topics lists the documents."})
final class HelpOfCommand implements Callable<Integer> {
  private static final String TOPICS = "topics";

  @Parameters(
      paramLabel = "TOPIC",
      description =
          "A document as in help switchback, or a command as in help run (default: the list of"
              + " commands).")
  private List<String> words = List.of();

  @Option(
      names = "--search",
      description = "Lists the documents that contain all these words, with the lines.")
  private boolean search;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    Documents documents = new Documents(Path.of(System.getProperty("slicewise.home", ".")));
    if (search) {
      return found(documents);
    }
    String topic = words.size() == 1 ? words.get(0) : "";
    if (topic.equals(TOPICS)) {
      Pager.show(documents.titles(), spec.commandLine().getOut());
    } else if (documents.has(topic)) {
      List<String> lines = new ArrayList<>(documents.text(topic, Terminal.tableWidth()));
      if (root.getSubcommands().containsKey(topic)) {
        lines.add("");
        lines.add("The options of the command: slicewise %s --help".formatted(topic));
      }
      Pager.show(lines, spec.commandLine().getOut());
    } else {
      command(root).usage(spec.commandLine().getOut());
    }
    return ExitCode.OK.code();
  }

  private CommandLine command(CommandLine root) {
    CommandLine command = root;
    for (String word : words) {
      CommandLine named = command.getSubcommands().get(word);
      if (named == null) {
        throw new CommandLine.UnmatchedArgumentException(command, List.of(word));
      }
      command = named;
    }
    return command;
  }

  private int found(Documents documents) {
    if (words.isEmpty()) {
      throw SlicewiseException.input("there is no word to search for", "name one or more");
    }
    List<String> lines = documents.search(words, Terminal.tableWidth());
    if (lines.isEmpty()) {
      spec.commandLine().getErr().println("no document contains " + String.join(" and ", words));
      return ExitCode.UNDECIDED.code();
    }
    Pager.show(lines, spec.commandLine().getOut());
    return ExitCode.OK.code();
  }

  /** Shows a long text: through the user's pager on a terminal, and as it is elsewhere. */
  private static final class Pager {
    private static final String USUAL = "less";

    private Pager() {}

    /** Shows lines; returns when the user leaves the pager. */
    static void show(List<String> lines, PrintWriter out) {
      String asked = System.getenv().getOrDefault("PAGER", USUAL);
      if (!Terminal.isOutInteractive() || asked.isBlank() || !paged(lines, asked)) {
        lines.forEach(out::println);
      }
    }

    /** Returns false if there is no such pager. */
    private static boolean paged(List<String> lines, String pager) {
      ProcessBuilder builder = new ProcessBuilder(pager.strip().split(" +"));
      // A text that fits is printed and stays on the screen.
      builder.environment().putIfAbsent("LESS", "FRX");
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      try {
        Process process = builder.start();
        try (PrintWriter writer =
            new PrintWriter(process.getOutputStream(), false, StandardCharsets.UTF_8)) {
          lines.forEach(writer::println);
        }
        process.waitFor();
        return true;
      } catch (IOException missing) {
        return false;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }

  /** The documents that come with an installation, as text for a terminal. */
  static final class Documents {
    private static final String END = ".md";
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]*\\)");
    private static final Pattern ITEM = Pattern.compile("( *)([*-]|\\d+\\.) (.*)");
    private static final int MOST_LINES = 3;

    private final Map<String, Path> topics = new TreeMap<>();

    /**
     * Finds the documents of an installation.
     *
     * @throws SlicewiseException if its directory cannot be read
     */
    Documents(Path home) {
      Path directory = home.resolve("docs");
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .filter(file -> file.toString().endsWith(END))
            .sorted(Comparator.comparing(Path::getNameCount).thenComparing(Path::toString))
            .forEach(file -> add(directory.relativize(file).toString(), file));
      } catch (IOException e) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "the documents cannot be read in " + directory + ": " + FileFault.reason(e),
            "",
            e);
      }
    }

    /** Adds a document under its name, or with its directory if that name is taken. */
    private void add(String relative, Path file) {
      if (topics.putIfAbsent(topic(relative), file) != null) {
        topics.put(relative.substring(0, relative.length() - END.length()), file);
      }
    }

    /** Returns {@code workloads} for {@code workloads/README.md}, and else the name without end. */
    private static String topic(String file) {
      String name = file.substring(0, file.length() - END.length());
      String directory = name.substring(0, Math.max(0, name.lastIndexOf('/')));
      return name.endsWith("/README") ? directory : name.substring(name.lastIndexOf('/') + 1);
    }

    /** Returns the names of all documents, in alphabetical order. */
    List<String> topics() {
      return List.copyOf(topics.keySet());
    }

    boolean has(String topic) {
      return topics.containsKey(topic);
    }

    /** Returns a document's lines of at most that many columns, as far as words allow. */
    List<String> text(String topic, int width) {
      List<String> lines = new ArrayList<>();
      StringBuilder paragraph = new StringBuilder();
      boolean verbatim = false;
      for (String line : lines(topic)) {
        boolean fence = line.strip().startsWith("```");
        boolean row = line.startsWith("|");
        if (verbatim || fence || line.isBlank() || row || line.startsWith("#") || item(line)) {
          flush(paragraph, width, lines);
        }
        if (fence) {
          verbatim = !verbatim;
        } else if (verbatim) {
          lines.add("    " + line);
        } else if (paragraph.length() == 0 && line.startsWith("    ")) {
          lines.add(line);
        } else if (line.isBlank()) {
          lines.add("");
        } else if (row) {
          row(line, width, lines);
        } else if (line.startsWith("#")) {
          lines.add(plain(line.replaceFirst("#+ ", "")).toUpperCase(Locale.ROOT));
        } else {
          paragraph.append(paragraph.length() == 0 ? "" : " ").append(line.stripTrailing());
        }
      }
      flush(paragraph, width, lines);
      return lines;
    }

    private static boolean item(String line) {
      return ITEM.matcher(line).matches();
    }

    private static void flush(StringBuilder paragraph, int width, List<String> lines) {
      if (paragraph.length() > 0) {
        String text = plain(paragraph.toString());
        int indent = text.length() - text.stripLeading().length() + (item(text) ? 2 : 0);
        lines.addAll(Wrap.lines(text.replaceAll("(?<=\\S) +", " "), "", " ".repeat(indent), width));
        paragraph.setLength(0);
      }
    }

    /** Adds a row of a table: its first cell, and below it the others. */
    private static void row(String line, int width, List<String> lines) {
      List<String> cells =
          Stream.of(line.replaceAll("^\\||\\|\\s*$", "").split("(?<!\\\\)\\|", -1))
              .map(cell -> plain(cell.replace("\\|", "|")).strip())
              .toList();
      if (!cells.stream().allMatch(cell -> cell.matches(":?-+:?"))) {
        String rest = String.join(" | ", cells.subList(1, cells.size()));
        lines.addAll(
            Wrap.lines(
                cells.get(0).isEmpty() ? rest : cells.get(0) + ": " + rest, "  ", "      ", width));
      }
    }

    private static String plain(String text) {
      return LINK.matcher(text).replaceAll("$1").replace("`", "").replace("**", "");
    }

    /** Returns the documents that contain all words, each with its first lines that do. */
    List<String> search(List<String> words, int width) {
      List<String> found = new ArrayList<>();
      for (String topic : topics.keySet()) {
        List<String> text = text(topic, width - 2);
        if (words.stream().allMatch(word -> text.stream().anyMatch(line -> holds(line, word)))) {
          found.add(topic + ": " + title(topic));
          List<String> holding =
              text.stream()
                  .skip(1)
                  .filter(line -> words.stream().anyMatch(word -> holds(line, word)))
                  .toList();
          holding.stream().limit(MOST_LINES).forEach(line -> found.add("  " + line.strip()));
          if (holding.size() > MOST_LINES) {
            found.add("  and %d more lines".formatted(holding.size() - MOST_LINES));
          }
        }
      }
      return found;
    }

    private static boolean holds(String line, String word) {
      return line.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
    }

    private List<String> lines(String topic) {
      try {
        return Files.readAllLines(topics.get(topic));
      } catch (IOException e) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "%s cannot be read: %s".formatted(topics.get(topic), FileFault.reason(e)),
            "",
            e);
      }
    }

    private String title(String topic) {
      return plain(lines(topic).get(0).replace("# ", ""));
    }

    /** Returns a line for each document: its topic and its title. */
    List<String> titles() {
      int room = topics.keySet().stream().mapToInt(String::length).max().orElse(0);
      return topics.keySet().stream()
          .map(topic -> topic + " ".repeat(room + 2 - topic.length()) + title(topic))
          .toList();
    }
  }
}
