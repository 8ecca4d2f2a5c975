package io.slicewise.report.page;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.SettingCommands;
import io.slicewise.profile.ParametersText;
import io.slicewise.run.JournalEvent;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The changes that a run made on its host, from its journal: time, command and description. Only
 * the description if the command is unknown.
 */
final class SentCommands {
  private SentCommands() {}

  static List<String> of(PageInput input) {
    boolean sudo = input.experiment().host().map(HostSpec::sudo).orElse(false);
    Optional<SettingCommands> words =
        input.environments().stream().findFirst().map(env -> commands(env.host(), sudo));
    return input.events().stream()
        .filter(JournalEvent.Applying.class::isInstance)
        .map(event -> line((JournalEvent.Applying) event, words))
        .toList();
  }

  private static SettingCommands commands(HostDescription host, boolean sudo) {
    return Hypervisors.kind(host.toolstack()).commands(host.toolstack(), host.version(), sudo);
  }

  private static String line(JournalEvent.Applying event, Optional<SettingCommands> words) {
    return Phrase.of(
        "%s  %s   # %s: %s → %s",
        event.at(),
        words.map(tool -> command(tool, event)).orElse(""),
        event.domain(),
        ParametersText.of(event.from()),
        ParametersText.of(event.to()));
  }

  private static String command(SettingCommands tool, JournalEvent.Applying event) {
    try {
      return tool.set(event.domain(), event.to()).stream()
          .map(Command::quoted)
          .collect(Collectors.joining("; "));
    } catch (HypervisorException inexpressible) {
      return "";
    }
  }
}
