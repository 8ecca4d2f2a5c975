package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.sim.Engine.Agenda;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Timers and agenda fire everything once, in order of time, whatever is set, moved and cleared. */
class QueuesProperties {
  @Property
  void timersAgreeWithASearchThroughAll(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int own = random.nextInt(5);
    Timers timers = new Timers(own);
    long[] expected = new long[own + 1 + random.nextInt(40)];
    Arrays.fill(expected, Timers.NEVER);
    List<Integer> fired = new ArrayList<>();
    for (int i = own; i < expected.length; i++) {
      int slot = i;
      assertThat(timers.open(nanos -> fired.add(slot))).isEqualTo(i);
    }
    for (int i = 0; i < 300; i++) {
      int slot = random.nextInt(expected.length);
      expected[slot] = random.nextInt(4) == 0 ? Timers.NEVER : random.nextLong(50);
      timers.set(slot, expected[slot]);
      if (random.nextInt(3) == 0) {
        int first = first(expected);
        assertThat(timers.nextNanos()).isEqualTo(expected[first]);
        if (expected[first] != Timers.NEVER) {
          assertThat(timers.take()).isEqualTo(first);
          if (first >= own) {
            timers.call(first, expected[first]);
            assertThat(fired.get(fired.size() - 1)).isEqualTo(first);
          }
          expected[first] = Timers.NEVER;
        }
      }
    }
  }

  private static int first(long[] due) {
    int first = 0;
    for (int i = 1; i < due.length; i++) {
      first = due[i] < due[first] ? i : first;
    }
    return first;
  }

  @Property
  void agendaFiresInOrderOfTimeAndOfAsking(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Agenda agenda = new Agenda();
    record Entry(long nanos, int number) {}
    List<Entry> expected = new ArrayList<>();
    List<Entry> fired = new ArrayList<>();
    List<Entry> wanted = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Entry entry = new Entry(random.nextLong(60), i);
      expected.add(entry);
      agenda.add(entry.nanos(), nanos -> fired.add(entry));
      if (random.nextInt(3) == 0) {
        Entry next = expected.stream().min(Comparator.comparingLong(Entry::nanos)).orElseThrow();
        expected.remove(next);
        wanted.add(next);
        assertThat(agenda.nextNanos()).isEqualTo(next.nanos());
        agenda.fire();
      }
    }
    assertThat(fired).isEqualTo(wanted);
  }
}
