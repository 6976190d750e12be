// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.controller.service.notifications.NotificationMailer.MailBody;
import io.redliner.controller.service.notifications.NotificationSender.SlackBody;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NotificationTextTest {

    private static JsonNode json(byte[] body) {
        return JsonMapper.shared().readTree(new String(body, UTF_8));
    }

    @Test
    void traffic_that_is_not_natural_is_no_restored_traffic() {
        assertThat(NotificationText.headline(Examples.notRestored())).isEqualTo(
                "TRAFFIC OF shop IS NOT NATURAL though its run is over");
        assertThat(NotificationText.facts(Examples.notRestored()))
                .contains(new NotificationText.Fact("Traffic restored", "NO: and yet 62% arrives"));
    }

    @Test
    void a_change_says_from_what_to_what() {
        assertThat(NotificationText.headline(Examples.changed())).isEqualTo(
                "Capacity of shop changed by -21 %: 395 requests/s (383 to 407), limited by latency");
        JsonNode body = json(WebhookBody.of(Examples.changed(), new NotificationLinks(null)));
        assertThat(body.get("type").asString()).isEqualTo("run.capacity-changed");
        assertThat(body.at("/data/previousCapacity/requestsPerSecond").asDouble()).isEqualTo(500);
        assertThat(body.at("/data/capacity/low").asDouble()).isBetween(383.0, 384.0);
        assertThat(body.at("/data/change").asDouble()).isBetween(-0.22, -0.20);
        assertThat(body.at("/data/harm/allowed").asDouble()).isEqualTo(300);
    }

    /** Such a run measures no capacity, and nothing about it is unknown. */
    @ParameterizedTest
    @CsvSource({"PASSED, SLA_HELD, The load test of 10.0.0.1:80 of shop passed",
        "THRESHOLD_FAILED, SLA_BROKEN, The load test of 10.0.0.1:80 of shop failed its threshold"})
    void a_load_test_is_described_by_its_verdict(RunOutcome outcome, StopCode code, String headline) {
        NotificationPayload notice = NotificationEnqueuer.Notices.of(Examples.loadTest(outcome, code),
                NotificationEvent.FINISHED, null,
                Examples.AT);

        assertThat(NotificationText.headline(notice)).isEqualTo(headline);
        assertThat(MailBody.plain(notice, new NotificationLinks(null))).startsWith(headline)
                .doesNotContainIgnoringCase("unknown", "capacity");
        assertThat(json(SlackBody.of(notice, new NotificationLinks(null))).get("text").asString()).isEqualTo(headline);
        assertThat(json(WebhookBody.of(notice, new NotificationLinks(null))).at("/data/outcome").asString())
                .isEqualTo(outcome.name());
    }

    @Test
    void a_lower_bound_is_the_lower_end_of_its_interval_as_in_the_headline() {
        assertThat(NotificationText.facts(Examples.bound()))
                .contains(new NotificationText.Fact("Capacity", "at least 388 requests/s"));
        assertThat(MailBody.plain(Examples.bound(), new NotificationLinks(null))).doesNotContain("400", "412");
    }

    @Test
    void slack_gets_blocks_and_a_text_in_which_nobody_can_be_called() {
        byte[] bytes = SlackBody.of(Examples.aborted("<!channel> & <https://evil.example|click>"),
                new NotificationLinks(URI.create("https://redliner.example.com")));

        JsonNode body = json(bytes);
        assertThat(body.get("text").asString()).isEqualTo("The capacity test of 10.0.0.1:80 of shop was aborted");
        assertThat(body.at("/blocks/0/type").asString()).isEqualTo("header");
        assertThat(body.at("/blocks/1/fields").size()).isBetween(5, 10);
        assertThat(body.at("/blocks/2/elements/0/text").asString())
                .isEqualTo("<https://redliner.example.com/api/v1/runs/r-1|Run r-1>");
        assertThat(new String(bytes, UTF_8))
                .contains("&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;")
                .doesNotContain("<!channel>", "<https://evil");
    }

    @Test
    void slacks_limits_are_kept() {
        JsonNode body = json(SlackBody.of(Examples.aborted("x".repeat(5000)), new NotificationLinks(null)));

        body.at("/blocks/1/fields")
                .forEach(field -> assertThat(field.get("text").asString().length()).isLessThanOrEqualTo(2000));
        assertThat(json(
                SlackBody.of(Examples.notice(NotificationEvent.STARTED, "s".repeat(200)), new NotificationLinks(null)))
                .at("/blocks/0/text/text").asString().length()).isLessThanOrEqualTo(150);
    }

    @ParameterizedTest
    @EnumSource
    void every_event_has_a_text_with_little_known(NotificationEvent event) {
        NotificationPayload notice = Examples.notice(event, "shop");

        assertThat(NotificationText.headline(notice)).contains("shop").doesNotContain("null");
        assertThat(MailBody.plain(notice, new NotificationLinks(null))).doesNotContain("null");
        assertThat(json(WebhookBody.of(notice, new NotificationLinks(null))).at("/data/runId").asString())
                .isEqualTo("r-1");
    }
}
