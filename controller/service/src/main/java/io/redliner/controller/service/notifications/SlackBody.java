// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.service.notifications.NotificationText.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A notice in Slack's blocks, with a text for where blocks are not shown. Lengths are within Slack's limits. */
final class SlackBody {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int MAX_HEADER = 150;

    private static final int MAX_FIELD = 2000;

    private static final int MAX_FIELDS = 10;

    private SlackBody() {}

    static byte[] of(NotificationPayload payload, NotificationLinks links) {
        String headline = NotificationText.headline(payload);
        List<Fact> facts = NotificationText.facts(payload);
        List<Map<String, Object>> fields = facts.subList(0, Math.min(MAX_FIELDS, facts.size()))
                .stream()
                .map(fact -> text("mrkdwn", cut("*" + fact.name() + "*\n" + escaped(fact.value()), MAX_FIELD)))
                .toList();
        List<Object> blocks = new ArrayList<>();
        blocks.add(Map.of("type", "header", "text", text("plain_text", cut(headline, MAX_HEADER))));
        blocks.add(Map.of("type", "section", "fields", fields));
        String run = links.run(payload.runId());
        String link = links.absolute()
                ? "<" + escaped(run) + "|Run " + payload.runId() + ">"
                : "Run " + payload.runId();
        blocks.add(Map.of("type", "context", "elements", List.of(text("mrkdwn", link))));
        return JSON.writeValueAsBytes(Map.of("text", escaped(headline), "blocks", blocks));
    }

    private static Map<String, Object> text(String type, String text) {
        return Map.of("type", type, "text", text);
    }

    /** Returns the three characters that Slack wants escaped: without them nobody can be mentioned and no link be made. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
