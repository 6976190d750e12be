// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.mail.MailAuthenticationException;
import org.springframework.mail.MailException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.web.util.HtmlUtils;

/** Sends mails, in plain text and HTML. Its timeouts are those of {@code spring.mail.properties}. */
final class NotificationMailer {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationMailer.class);

    private static final int MAX_REASON = 200;

    private final JavaMailSender sender;

    private final String from;

    private final NotificationLinks links;

    NotificationMailer(JavaMailSender sender, String from, NotificationLinks links) {
        this.sender = sender;
        this.from = from;
        this.links = links;
    }

    /** Sends one mail to all; its Message-ID stays the same over all attempts. */
    DeliveryResult send(String id, NotificationPayload payload, ChannelDestination.Mailbox to) {
        try {
            sender.send(mail(id, payload, to));
            return new DeliveryResult.Delivered();
        } catch (MailAuthenticationException refused) {
            LOG.debug("the mail server refuses the sign-in", refused);
            return DeliveryResult.Failed.because("the mail server refuses the sign-in");
        } catch (MailException | MessagingException failure) {
            LOG.debug("a mail was not taken", failure);
            return DeliveryResult.Failed.because("the mail server did not take it: " + root(failure));
        }
    }

    private MimeMessage mail(String id, NotificationPayload payload, ChannelDestination.Mailbox to)
            throws MessagingException {
        MimeMessage mail = sender.createMimeMessage();
        MimeMessageHelper helper = new MimeMessageHelper(mail, true, "UTF-8");
        helper.setFrom(from);
        helper.setTo(to.addresses().toArray(String[]::new));
        helper.setSubject(MailBody.subject(payload));
        helper.setText(MailBody.plain(payload, links), MailBody.html(payload, links));
        mail.setHeader("Message-ID", "<" + id + "@redliner>");
        mail.setHeader("Auto-Submitted", "auto-generated");
        return mail;
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage()).replaceAll("\\p{Cntrl}+", " ").strip();
        return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON);
    }

    /** A notice as a mail. */
    static final class MailBody {

        private MailBody() {}

        /** Returns the subject as one line, with control characters replaced. */
        static String subject(NotificationPayload payload) {
            return "[RedLiner] " + NotificationText.headline(payload).replaceAll("\\p{Cntrl}", " ");
        }

        static String plain(NotificationPayload payload, NotificationLinks links) {
            StringBuilder text = new StringBuilder(NotificationText.headline(payload)).append("\n\n");
            NotificationText.facts(payload)
                    .forEach(fact -> text.append(fact.name()).append(": ").append(fact.value()).append('\n'));
            return text.append("\nRun: ").append(links.run(payload.run().id())).append('\n').toString();
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
            String run = escaped(links.run(payload.run().id()));
            return html.append("</table><p>Run: ")
                    .append(links.absolute() ? "<a href=\"" + run + "\">" + run + "</a>" : run)
                    .append("</p></body></html>")
                    .toString();
        }

        private static String escaped(String text) {
            return HtmlUtils.htmlEscape(text, "UTF-8");
        }
    }
}
