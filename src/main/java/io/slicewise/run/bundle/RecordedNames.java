package io.slicewise.run.bundle;

import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names in a recording of a host that are nowhere else in its run. */
record RecordedNames(Set<String> domains, Set<String> hosts) {
  private static final Pattern OWN = Pattern.compile("(?m)^host\\s*: (\\S+)$");
  private static final Pattern SERVER =
      Pattern.compile("(?m)^/proc/mounts:(?://)?([^\\s:/]+)(?::/?|/)\\S* \\S+ (?:nfs|cifs|smb)");
  private static final Pattern XEN_ROW = Pattern.compile("(?m)^(\\S+) +\\d+ +\\d+ +\\d+\\s");
  private static final Pattern LIBVIRT_ROW = Pattern.compile("(?m)^[0-9a-f-]{36} +(\\S.*?) *$");

  static RecordedNames of(Path root) {
    RecordedNames names = new RecordedNames(new TreeSet<>(), new TreeSet<>());
    HostRecording.read(root).forEach(names::add);
    return names;
  }

  private void add(HostAnswer answer) {
    find(OWN, answer, hosts);
    find(SERVER, answer, hosts);
    if (answer.words().contains("list")) {
      find(XEN_ROW, answer, domains);
      find(LIBVIRT_ROW, answer, domains);
    }
  }

  private static void find(Pattern pattern, HostAnswer answer, Set<String> into) {
    pattern.matcher(answer.out()).results().forEach(found -> into.add(found.group(1)));
  }
}
