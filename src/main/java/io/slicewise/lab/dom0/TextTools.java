package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code grep}, {@code head}, {@code sleep} and filters. */
public record TextTools(HostFiles files) {
  private static final int LINES = 10;

  public Map<String, Program> tools() {
    Map<String, Program> tools = new HashMap<>(new Filters(files).tools());
    tools.put("grep", new Grep(files));
    tools.put("head", this::head);
    tools.put("sleep", TextTools::sleep);
    return tools;
  }

  /** Opens the named files, or standard input if none is named. */
  private BufferedReader lines(Invocation invocation, List<String> names) throws IOException {
    InputStream input =
        names.isEmpty() || names.get(0).equals("-")
            ? invocation.input()
            : new ByteArrayInputStream(files.read(invocation.path(names.get(0))));
    return new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
  }

  private static int missing(Invocation invocation, String name) throws IOException {
    invocation.complain("%s: %s: No such file or directory\n", invocation.words().get(0), name);
    return 2;
  }

  /** Parses {@code -n N}, or its short form {@code -N}. */
  private static Getopt counted(Invocation invocation) {
    List<String> arguments =
        invocation.arguments().stream()
            .map(argument -> argument.replaceFirst("^-(\\d+)$", "-n$1"))
            .toList();
    return Getopt.parse(arguments, "n:", "lines=n:");
  }

  private int head(Invocation invocation) throws IOException {
    Getopt options = counted(invocation);
    int count = options.last('n').map(Getopt::strtol).orElse(LINES);
    try (BufferedReader reader = lines(invocation, options.operands())) {
      for (int i = 0; i < count; i++) {
        String line = reader.readLine();
        if (line == null) {
          break;
        }
        invocation.print("%s\n", line);
      }
      return 0;
    } catch (FileNotFoundException missing) {
      return missing(invocation, options.operands().get(0));
    }
  }

  private static int sleep(Invocation invocation) throws IOException, InterruptedException {
    List<String> times = invocation.arguments();
    if (times.isEmpty() || !times.stream().allMatch(time -> time.matches("\\d*\\.?\\d+[smh]?"))) {
      invocation.complain("sleep: invalid time interval '%s'\n", String.join(" ", times));
      return 1;
    }
    double seconds = times.stream().mapToDouble(TextTools::seconds).sum();
    TimeUnit.NANOSECONDS.sleep(Math.round(seconds * 1e9));
    return 0;
  }

  private static double seconds(String time) {
    double number = Double.parseDouble(time.replaceAll("[smh]$", ""));
    return time.endsWith("h") ? number * 3600 : time.endsWith("m") ? number * 60 : number;
  }
}
