// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import org.springframework.web.util.HtmlUtils;

/** A notice as a mail. */
final class MailBody {

    private MailBody() {}

    /** Returns the subject as one line, with control characters replaced. */
    static String subject(NotificationPayload payload) {
        return "[RedLiner] " + NotificationText.headline(payload).replaceAll("\\p{Cntrl}", " ");
    }

    static String plain(NotificationPayload payload, NotificationLinks links) {
        StringBuilder text = new StringBuilder(NotificationText.headline(payload)).append("\n\n");
        NotificationText.facts(payload)
                .forEach(fact -> text.append(fact.name()).append(": ").append(fact.value()).append('\n'));
        return text.append("\nRun: ").append(links.run(payload.runId())).append('\n').toString();
    }

    static String html(NotificationPayload payload, NotificationLinks links) {
        StringBuilder html = new StringBuilder("<!DOCTYPE html><html><body><h2>")
                .append(escaped(NotificationText.headline(payload)))
                .append("</h2><table>");
        NotificationText.facts(payload)
                .forEach(fact -> html.append("<tr><th align=\"left\">")
                        .append(escaped(fact.name()))
                        .append("</th><td>")
                        .append(escaped(fact.value()))
                        .append("</td></tr>"));
        String run = escaped(links.run(payload.runId()));
        return html.append("</table><p>Run: ")
                .append(links.absolute() ? "<a href=\"" + run + "\">" + run + "</a>" : run)
                .append("</p></body></html>")
                .toString();
    }

    private static String escaped(String text) {
        return HtmlUtils.htmlEscape(text, "UTF-8");
    }
}
