// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import io.redliner.acceptance.ApiClient;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Timelines of runs that nobody waits for. */
final class Timelines {

    private static final int POINTS = 320;

    private Timelines() {}

    /** Returns the timeline of a run over and over, until it is as long as this and as wide as it may be. */
    static ObjectNode ofLength(Duration length, ApiClient controller, String run) {
        ObjectNode timeline = (ObjectNode) controller.get("/runs/" + run + "/timeline?points=" + POINTS);
        ObjectNode all = timeline.deepCopy();
        int rows = timeline.get("start").size();
        long step = length.toMillis() / POINTS;
        long begin = timeline.get("start").get(0).asLong();
        repeat(all, timeline, rows);
        ((ObjectNode) all.get("values")).propertyNames().forEach(name -> repeat((ObjectNode) all.get("values"),
                (ObjectNode) timeline.get("values"), name, rows));
        for (String side : List.of("gauges", "peersGauges")) {
            for (int gauge = 0; gauge < all.get(side).size(); gauge++) {
                repeat((ObjectNode) all.get(side).get(gauge), (ObjectNode) timeline.get(side).get(gauge), "values",
                        rows);
            }
        }
        ArrayNode start = all.putArray("start");
        ArrayNode end = all.putArray("end");
        for (int point = 0; point < POINTS; point++) {
            start.add(begin + point * step);
            end.add(begin + (point + 1) * step);
        }
        return all;
    }

    private static void repeat(ObjectNode into, ObjectNode from, int rows) {
        List.of("count", "phase", "judgement", "step").forEach(name -> repeat(into, from, name, rows));
    }

    private static void repeat(ObjectNode into, ObjectNode from, String name, int rows) {
        ArrayNode column = into.putArray(name);
        for (int point = 0; point < POINTS; point++) {
            column.add(from.get(name).get(point % rows));
        }
    }
}
