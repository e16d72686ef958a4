package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;
import static social.feed.ctl.plan.PlannedLoad.PAGE_AUTHORS;
import static social.feed.ctl.plan.PlannedLoad.PAGE_POSTS;

import org.jspecify.annotations.Nullable;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;

/** The same load on published designs. */
final class OtherDesigns {
  private final PlannedLoad load;
  private final Prices prices;

  OtherDesigns(PlannedLoad load, Prices prices) {
    this.load = load;
    this.prices = prices;
  }

  /** Units of AWS's schema and of two tables of edges, counted from their published keys. */
  Section section() {
    double page = 0.5 + (PAGE_POSTS + PAGE_AUTHORS) / 2;
    double followers = load.popularity().mean();
    var section =
        Section.of(
            "the same load on other designs",
            "action",
            "here, reads",
            "writes",
            "AWS's schema, reads",
            "writes",
            "two tables, reads",
            "writes");
    double[] sums = new double[6];
    compared(
        section,
        sums,
        UserAction.POST,
        load.behindAPost(load.in().threshold()),
        0,
        1 + followers,
        null);
    compared(section, sums, UserAction.LIKE, UserAction.LIKE.behind(), 0, 2, null);
    compared(
        section,
        sums,
        UserAction.FOLLOW,
        UserAction.FOLLOW.behind(),
        0,
        2,
        new ConsumedUnits(0, 5));
    compared(
        section,
        sums,
        UserAction.UNFOLLOW,
        UserAction.UNFOLLOW.behind(),
        0,
        2,
        new ConsumedUnits(0, 5));
    compared(
        section,
        sums,
        UserAction.PAGE,
        CostFormulas.pulledAuthors(load.pulledAPage(load.in().threshold())),
        page,
        0,
        null);
    compared(
        section,
        sums,
        UserAction.LIST,
        ConsumedUnits.NONE,
        0.5 + load.listed() / 2.0,
        0,
        new ConsumedUnits(0.5, 0));
    compared(section, sums, UserAction.VIEW_PROFILE, ConsumedUnits.NONE, 1, 0, null);
    compared(section, sums, UserAction.VIEW_POST, ConsumedUnits.NONE, 1, 0, null);
    return section
        .row(
            "dollars a month of these",
            prices.units(sums[0], 0) * MONTH_DAYS,
            prices.units(0, sums[1]) * MONTH_DAYS,
            prices.units(sums[2], 0) * MONTH_DAYS,
            prices.units(0, sums[3]) * MONTH_DAYS,
            prices.units(sums[4], 0) * MONTH_DAYS,
            prices.units(0, sums[5]) * MONTH_DAYS)
        .note(
            "AWS's schema delivers a post to every follower, absent ones too, for one unit each. Its"
                + " counts change when a request is repeated, a follow is not atomic (4 units if it"
                + " were), and it has no notifications, backfill, removal after an unfollow, blocks,"
                + " visibility, tags or rankings. Its page has no “liked by me”.")
        .note(
            "The two tables hold edges only: no posts, feeds, likes, counts or caps. An atomic follow"
                + " costs 5 (3 if one of the tables may miss it). A list shows the name as it was at"
                + " the follow.");
  }

  private void compared(
      Section section,
      double[] sums,
      UserAction action,
      ConsumedUnits behind,
      double read,
      double write,
      @Nullable ConsumedUnits twoTables) {
    double aDay =
        load.aDay(action)
            + (action == UserAction.PAGE ? load.aDay(UserAction.PAGE_AFTER_FOLLOW) : 0);
    if (aDay == 0) {
      return;
    }
    var here = load.request(action).plus(behind);
    section.row(
        load.name(action),
        here.read(),
        here.write(),
        read,
        write,
        twoTables == null ? "-" : twoTables.read(),
        twoTables == null ? "-" : twoTables.write());
    double[] each = {
      here.read(),
      here.write(),
      read,
      write,
      twoTables == null ? 0 : twoTables.read(),
      twoTables == null ? 0 : twoTables.write()
    };
    for (int i = 0; i < each.length; i++) {
      sums[i] += each[i] * aDay;
    }
  }
}
