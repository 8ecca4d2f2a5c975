package io.slicewise.report.page;

import io.slicewise.experiment.HostSpec;
import io.slicewise.host.xen.CommandWords;
import io.slicewise.host.xen.XenException;
import io.slicewise.profile.ParametersText;
import io.slicewise.run.JournalEvent;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Locale;
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
    Optional<CommandWords> words =
        input.environments().stream()
            .findFirst()
            .map(env -> CommandWords.of(env.host().toolstack(), env.host().version(), sudo));
    return input.events().stream()
        .filter(JournalEvent.Applying.class::isInstance)
        .map(event -> line((JournalEvent.Applying) event, words))
        .toList();
  }

  private static String line(JournalEvent.Applying event, Optional<CommandWords> words) {
    return String.format(
        Locale.ROOT,
        "%s  %s   # %s: %s → %s",
        event.at(),
        words.map(tool -> command(tool, event)).orElse(""),
        event.domain(),
        ParametersText.of(event.from()),
        ParametersText.of(event.to()));
  }

  private static String command(CommandWords tool, JournalEvent.Applying event) {
    try {
      return tool.set(event.domain(), event.to()).stream()
          .map(Command::quoted)
          .collect(Collectors.joining("; "));
    } catch (XenException inexpressible) {
      return "";
    }
  }
}
