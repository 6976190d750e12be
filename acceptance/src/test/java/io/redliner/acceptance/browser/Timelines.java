// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import io.redliner.acceptance.ApiClient;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Timelines of runs that nobody waits for. */
final class Timelines {

    private static final int POINTS = 320;

    private Timelines() {}

    /** Returns the timeline of a run over and over, until it is as long as an hour and as wide as it may be. */
    static ObjectNode hour(ApiClient controller, String run) {
        ObjectNode timeline = (ObjectNode) controller.get("/runs/" + run + "/timeline?points=" + POINTS);
        ObjectNode hour = timeline.deepCopy();
        int rows = timeline.get("start").size();
        long step = 3_600_000L / POINTS;
        long begin = timeline.get("start").get(0).asLong();
        repeat(hour, timeline, rows);
        ((ObjectNode) hour.get("values")).propertyNames().forEach(name -> repeat((ObjectNode) hour.get("values"),
                (ObjectNode) timeline.get("values"), name, rows));
        for (String side : List.of("gauges", "peersGauges")) {
            for (int gauge = 0; gauge < hour.get(side).size(); gauge++) {
                repeat((ObjectNode) hour.get(side).get(gauge), (ObjectNode) timeline.get(side).get(gauge), "values",
                        rows);
            }
        }
        ArrayNode start = hour.putArray("start");
        ArrayNode end = hour.putArray("end");
        for (int point = 0; point < POINTS; point++) {
            start.add(begin + point * step);
            end.add(begin + (point + 1) * step);
        }
        return hour;
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
