package io.slicewise.run.bundle;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisors;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replaces the names of hosts, domains and users of a run, each by the same word everywhere: whole
 * words only, so that a guest called {@code web} leaves {@code web-app} alone.
 */
final class ScrubbedNames implements UnaryOperator<String> {
  private static final Set<String> COMMON =
      Set.of("root", "localhost", "127.0.0.1", "::1", "Domain-0", "");
  private static final Pattern URL_HOST =
      Pattern.compile("[a-z]+://(?:[^/@\\s\"']+@)?(\\[[^]]+]|[^/:\\s\"'?]+)");
  private static final Pattern HOME = Pattern.compile("/(?:home|Users)/([^/\\s\"']+)");
  private static final long LARGEST_SEARCHED = 8L << 20;

  /** The start of a word, an escaped control character of JSON, or of a guest's control group. */
  private static final String BEFORE =
      "(?:(?<![\\p{L}\\p{N}_.-])|(?<=\\\\[nrtbf])|(?<=\\\\u[0-9a-fA-F]{4})"
          + "|(?<=qemu-\\d{1,6}-)|(?<=x2d)|(?<=lxc\\.payload\\.))";

  /** The end of a word; what libvirt and systemd add to a guest's name is none of it. */
  private static final String AFTER =
      "(?![\\p{L}\\p{N}_-]|\\.(?!pid\\b|libvirt-qemu|scope\\b)[\\p{L}\\p{N}])";

  /** What libvirt leaves out of a guest's name in that of its control group. */
  private static final String LEFT_OUT = "[^A-Za-z0-9.-]";

  private static final Pattern UNIT = Pattern.compile(".*(\\.(?:service|scope|slice))");

  /** A guest's number or id, by which its platform is recognized, and no name. */
  private static final Pattern NUMBER =
      Pattern.compile("\\d*|user-\\d+\\.slice|pod[0-9a-f-]{36}|[0-9a-f]{12}");

  private final Map<String, String> words;
  private final Optional<Pattern> any;

  private ScrubbedNames(Map<String, String> words) {
    this.words = words;
    List<String> longest =
        words.keySet().stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
    this.any =
        longest.isEmpty()
            ? Optional.empty()
            : Optional.of(
                Pattern.compile(
                    longest.stream()
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|", BEFORE + "(?:", ")" + AFTER))));
  }

  static ScrubbedNames of(LoadedRun run) throws IOException {
    Experiment experiment = run.experiment();
    RunRecord record = run.record();
    Set<String> domains = new LinkedHashSet<>();
    new TreeMap<>(experiment.domains()).values().forEach(domains::addAll);
    domains.addAll(new TreeSet<>(record.guests().keySet()));
    domains.addAll(
        record.found().values().stream()
            .flatMap(found -> found.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new)));
    RecordedNames recorded = RecordedNames.of(run.root());
    domains.addAll(recorded.domains());
    Hypervisors.controlDomain(Optional.empty()).ifPresent(domains::remove);
    String text = Files.readString(run.directory().experimentFile());
    Set<String> hosts = new LinkedHashSet<>();
    Set<String> users = new LinkedHashSet<>();
    experiment.host().map(HostSpec::address).ifPresent(at -> address(at, hosts, users));
    experiment.host().flatMap(host -> host.login().user()).ifPresent(users::add);
    all(URL_HOST, text, hosts);
    all(HOME, text, users);
    for (JournalEvent event : run.events()) {
      if (event instanceof JournalEvent.RunStarted started) {
        hosts.add(started.machine());
        address(started.host(), hosts, users);
      } else if (event instanceof JournalEvent.Placed placed) {
        all(HOME, placed.place().directory(), users);
      }
    }
    hosts.addAll(recorded.hosts());
    for (Path file : RunBundle.files(run.root(), false).values()) {
      if (!file.toString().endsWith(".gz") && Files.size(file) <= LARGEST_SEARCHED) {
        all(HOME, Files.readString(file, StandardCharsets.ISO_8859_1), users);
      }
    }
    Map<String, String> words = new LinkedHashMap<>();
    number(domains, "guest-", words);
    number(hosts, "host-", words);
    number(users, "user-", words);
    return new ScrubbedNames(words);
  }

  private static void all(Pattern pattern, String text, Set<String> into) {
    pattern.matcher(text).results().forEach(found -> into.add(found.group(1)));
  }

  /** Takes {@code user@host:port} apart. */
  private static void address(String address, Set<String> hosts, Set<String> users) {
    int at = address.lastIndexOf('@');
    if (at > 0) {
      users.add(address.substring(0, at));
    }
    hosts.add(address.substring(at + 1).replaceFirst(":\\d+$", ""));
  }

  private static void number(Set<String> names, String word, Map<String, String> into) {
    int number = 1;
    for (String name : names) {
      Matcher unit = UNIT.matcher(name);
      String other = word + number + (unit.matches() ? unit.group(1) : "");
      if (isName(name) && into.putIfAbsent(name, other) == null) {
        number++;
      }
    }
    for (String name : names) {
      String group = name.replaceAll(LEFT_OUT, "");
      if (isName(name) && isName(group)) {
        into.putIfAbsent(group, into.get(name));
      }
    }
  }

  private static boolean isName(String name) {
    return !COMMON.contains(name) && !NUMBER.matcher(name).matches();
  }

  @Override
  public String apply(String text) {
    return any.map(pattern -> pattern.matcher(text).replaceAll(this::replacement)).orElse(text);
  }

  private String replacement(MatchResult found) {
    return Matcher.quoteReplacement(words.get(found.group()));
  }

  /** The names in a recording of a host that are nowhere else in its run. */
  private record RecordedNames(Set<String> domains, Set<String> hosts) {
    private static final Pattern OWN = Pattern.compile("(?m)^host\\s*: (\\S+)$");
    private static final Pattern SERVER =
        Pattern.compile("(?m)^/proc/mounts:(?://)?([^\\s:/]+)(?::/?|/)\\S* \\S+ (?:nfs|cifs|smb)");
    private static final Pattern XEN_ROW = Pattern.compile("(?m)^(\\S+) +\\d+ +\\d+ +\\d+\\s");

    /** Guests of Proxmox that need not run, and the containers that {@code docker ps} lists. */
    private static final Pattern GROUP =
        Pattern.compile(
            "(?m)^(?:/etc/pve/(?:lxc|qemu-server)/\\d+\\.conf:(?:hostname|name): *|[0-9a-f]{64} )"
                + "(\\S+)$");

    private static final Pattern LIBVIRT_ROW = Pattern.compile("(?m)^[0-9a-f-]{36} +(\\S.*?) *$");

    static RecordedNames of(Path root) {
      RecordedNames names = new RecordedNames(new TreeSet<>(), new TreeSet<>());
      HostRecording.read(root).forEach(names::add);
      return names;
    }

    private void add(HostAnswer answer) {
      find(OWN, answer, hosts);
      find(SERVER, answer, hosts);
      find(GROUP, answer, domains);
      if (answer.words().stream().anyMatch(word -> word.split(" ", 2)[0].equals("list"))) {
        find(XEN_ROW, answer, domains);
        find(LIBVIRT_ROW, answer, domains);
      }
    }

    private static void find(Pattern pattern, HostAnswer answer, Set<String> into) {
      pattern.matcher(answer.out()).results().forEach(found -> into.add(found.group(1)));
    }
  }
}
