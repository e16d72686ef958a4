package social.feed.infra;

/** The sections of {@code docs/operations.md} that say what to do when an alarm goes off. */
enum AlarmPage {
  LANES("alarms-of-a-lane"),
  QUEUES("alarms-of-queues-and-batches"),
  SINKS("alarms-of-events-for-other-systems"),
  SEARCH("alarms-of-the-search"),
  IMAGES("alarm-of-images"),
  TABLE("alarms-of-the-table"),
  API("alarms-of-the-api"),
  TASKS("alarms-of-the-tasks"),
  DRIFT("alarm-of-drift");

  private static final String FILE = "docs/operations.md";

  private final String anchor;

  AlarmPage(String anchor) {
    this.anchor = anchor;
  }

  /** Returns the sentence that ends the description of an alarm. */
  String reference() {
    return "See %s#%s.".formatted(FILE, anchor);
  }

  /** Returns the anchor of the section. */
  String anchor() {
    return anchor;
  }
}
