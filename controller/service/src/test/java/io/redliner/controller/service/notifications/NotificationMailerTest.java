// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.embedded.FreePort;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/** A real mail server in this process. */
class NotificationMailerTest {

    private final GreenMail server = new GreenMail(
            new ServerSetup(FreePort.next(), "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    private final JavaMailSenderImpl sender = new JavaMailSenderImpl();

    private final NotificationMailer mailer = new NotificationMailer(sender, "redliner@example.com",
            new NotificationLinks(URI.create("https://redliner.example.com/")));

    @BeforeEach
    void start() {
        server.start();
        sender.setHost("127.0.0.1");
        sender.setPort(server.getSmtp().getPort());
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void people_get_one_mail_in_plain_text_and_html() throws Exception {
        NotificationPayload notice = Examples.aborted("<b>wrong</b> & day");

        DeliveryResult attempt = mailer.send("msg_1", notice,
                new ChannelDestination.Mailbox(List.of("ops@example.com", "dev@example.com")));

        assertThat(attempt).isEqualTo(new DeliveryResult.Delivered());
        assertThat(server.getReceivedMessages()).hasSize(2);
        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getSubject()).isEqualTo("[RedLiner] The capacity test of 10.0.0.1:80 of shop was aborted");
        assertThat(mail.getHeader("Message-ID")).containsExactly("<msg_1@redliner>");
        assertThat(mail.getContentType()).startsWith("multipart/");
        assertThat(GreenMailUtil.getBody(mail)).contains("text/plain", "text/html",
                "AbortRequested: <b>wrong</b> & day", "AbortRequested: &lt;b&gt;wrong&lt;/b&gt; &amp; day",
                "https://redliner.example.com/api/v1/runs/r-1");
    }

    @Test
    void a_name_cannot_add_headers() throws Exception {
        NotificationPayload sly = Examples.notice(NotificationEvent.STARTED,
                "shop\r\nBcc: victim@example.com\r\n\r\nbody");

        assertThat(mailer.send("msg_1", sly, new ChannelDestination.Mailbox(List.of("ops@example.com"))))
                .isEqualTo(new DeliveryResult.Delivered());

        assertThat(server.getReceivedMessages()).hasSize(1);
        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getHeader("Bcc")).isNull();
        assertThat(mail.getAllRecipients()).hasSize(1);
        assertThat(mail.getSubject()).contains("shop  Bcc: victim@example.com");
    }

    @Test
    void a_server_that_is_away_is_tried_again() {
        server.stop();

        DeliveryResult attempt = mailer.send("msg_1", Examples.aborted("x"),
                new ChannelDestination.Mailbox(List.of("ops@example.com")));

        assertThat(attempt).isInstanceOfSatisfying(DeliveryResult.Failed.class,
                failed -> assertThat(failed.reason()).contains("the mail server did not take it"));
    }
}
