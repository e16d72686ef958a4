package social.feed.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import social.feed.event.DomainEvent;
import social.feed.streams.sink.Publisher;

/** A sink that refuses, loses answers, and writes late what it seemed to have lost. */
final class UnsteadySink implements Publisher {
  private static final int OFTEN = 12;
  private static final int RARE = 20;

  private final Publisher sink;
  private final IntPredicate chance;
  private final List<DomainEvent> late = new ArrayList<>();
  private boolean isDown;

  /**
   * @param chance true once in so many times
   */
  UnsteadySink(Publisher sink, IntPredicate chance) {
    this.sink = sink;
    this.chance = chance;
  }

  /** Refuses everything from now on, or no longer. */
  void setDown(boolean down) {
    isDown = down;
  }

  @Override
  public void publish(DomainEvent event) {
    if (isDown || chance.test(OFTEN)) {
      throw new IllegalStateException("The sink refused it");
    }
    if (chance.test(RARE)) {
      late.add(event);
      throw new IllegalStateException("The sink hangs, and goes on later");
    }
    sink.publish(event);
    if (chance.test(OFTEN)) {
      throw new IllegalStateException("The answer of the sink is lost");
    }
  }

  /** Writes what hung, unless it is down. */
  void goesOn() {
    if (isDown) {
      return;
    }
    var all = List.copyOf(late);
    late.clear();
    all.forEach(sink::publish);
  }
}
