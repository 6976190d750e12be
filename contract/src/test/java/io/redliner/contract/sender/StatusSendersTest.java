// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.sender.StatusSenders.Standing;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusSendersTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final StatusSenders senders = new StatusSenders(Duration.ofSeconds(5));

    private final SenderChain chain = new SenderChain(new SecureRandom());

    private final SenderChain stranger = new SenderChain(new SecureRandom());

    private Instant now = START;

    private Standing judge(String sender, @Nullable SenderProof proof) {
        return senders.judge("cart", sender, proof, false, now);
    }

    /** The redirector reports every second. */
    private void reports(int seconds) {
        for (int second = 0; second < seconds; second++) {
            assertThat(judge("r1", chain.next("cart"))).isEqualTo(Standing.BELIEVED);
            now = now.plusSeconds(1);
        }
    }

    @Test
    void believes_the_redirectors_that_are_there_at_the_beginning() {
        assertThat(judge("r1", chain.next("cart"))).isEqualTo(Standing.BELIEVED);
        now = START.plusSeconds(9);
        assertThat(judge("r2", null)).isEqualTo(Standing.BELIEVED);
    }

    @Test
    void a_later_sender_under_another_name_only_claims_to_be_a_redirector() {
        reports(30);

        assertThat(judge("evil", null)).isEqualTo(Standing.CLAIMED);
        assertThat(judge("evil", stranger.next("cart"))).isEqualTo(Standing.IMPOSTOR);
        reports(30);
        assertThat(judge("other", stranger.next("cart"))).isEqualTo(Standing.CLAIMED);
        reports(30);
        assertThat(judge("other", stranger.next("cart"))).as("however long it claims it").isEqualTo(Standing.CLAIMED);
    }

    @Test
    void nobody_else_speaks_under_the_name_of_a_redirector() {
        reports(30);
        SenderProof copied = chain.next("cart");
        assertThat(judge("r1", copied)).isEqualTo(Standing.BELIEVED);

        assertThat(judge("r1", null)).isEqualTo(Standing.IMPOSTOR);
        assertThat(judge("r1", copied)).as("a copy").isEqualTo(Standing.IGNORED);
        assertThat(judge("r1", new SenderProof(copied.number() + 1, copied.link(), copied.nextRoot())))
                .isEqualTo(Standing.IMPOSTOR);
        assertThat(judge("r1", new SenderProof(copied.number() + 1, "0".repeat(32), "0".repeat(32))))
                .isEqualTo(Standing.IMPOSTOR);
        assertThat(judge("r1", new SenderProof(Long.MAX_VALUE, copied.link(), "")))
                .isEqualTo(Standing.IMPOSTOR);
        assertThat(judge("r1", new SenderProof(Long.MIN_VALUE, copied.link(), "")))
                .isEqualTo(Standing.IMPOSTOR);
        assertThat(judge("r1", stranger.next("cart"))).as("a lower number").isEqualTo(Standing.IMPOSTOR);
        reports(30);
    }

    @Test
    void a_sender_goes_on_over_lost_statuses_and_over_the_end_of_a_chain() {
        reports(1_000);
        for (int lost = 0; lost < 50; lost++) {
            chain.next("cart");
        }
        reports(2_000);
        assertThat(judge("r1", null)).isEqualTo(Standing.IMPOSTOR);
    }

    @Test
    void a_sender_goes_on_after_a_minute_in_which_nothing_was_read() {
        reports(10);
        for (int lost = 0; lost < 60; lost++) {
            chain.next("cart");
        }
        now = now.plusSeconds(60);

        assertThat(judge("evil", null)).as("the redirector may only not have been read yet")
                .isEqualTo(Standing.CLAIMED);
        reports(10);
        assertThat(judge("evil", null)).isEqualTo(Standing.CLAIMED);
    }

    @Test
    void a_redirector_that_was_started_again_is_believed_when_its_predecessor_is_silent() {
        reports(30);
        for (int second = 0; second < 2; second++) {
            now = now.plusSeconds(1);
            assertThat(judge("r1-again", stranger.next("cart"))).isEqualTo(Standing.CLAIMED);
        }
        now = now.plusSeconds(1);
        assertThat(judge("r1-again", stranger.next("cart"))).isEqualTo(Standing.BELIEVED);

        assertThat(judge("r1", chain.next("cart"))).as("and the one before was only slow").isEqualTo(Standing.BELIEVED);
    }

    @Test
    void a_redirector_that_was_started_again_under_its_name_is_believed_when_its_predecessor_is_silent() {
        reports(30);
        SenderChain again = new SenderChain(new SecureRandom());
        for (int second = 0; second < 4; second++) {
            now = now.plusSeconds(1);
            assertThat(judge("r1", again.next("cart"))).isNotEqualTo(Standing.BELIEVED);
        }
        now = now.plusSeconds(1);
        assertThat(judge("r1", again.next("cart"))).isEqualTo(Standing.BELIEVED);
        assertThat(judge("r1", again.next("cart"))).isEqualTo(Standing.BELIEVED);
        assertThat(judge("r1", chain.next("cart"))).isEqualTo(Standing.IMPOSTOR);
    }

    @Test
    void a_redirector_whose_proxies_a_collector_sees_is_believed_at_once_and_from_then_on() {
        reports(30);

        assertThat(senders.judge("cart", "r2", stranger.next("cart"), true, now)).isEqualTo(Standing.BELIEVED);
        assertThat(senders.judge("cart", "r2", stranger.next("cart"), false, now)).isEqualTo(Standing.BELIEVED);
        assertThat(senders.judge("cart", "r2", null, true, now)).isEqualTo(Standing.IMPOSTOR);
    }

    @Test
    void invented_services_are_bounded_and_make_room_when_nobody_reports_them() {
        reports(70);
        for (int invented = 0; invented < 2_000; invented++) {
            Standing standing = senders.judge("invented-" + invented, "r1", null, false, now);
            assertThat(standing).isEqualTo(
                    invented < StatusSenders.MAX_LATE_SERVICES ? Standing.BELIEVED : Standing.TOO_MANY);
        }
        assertThat(senders.confirmed("cart")).isTrue();
        assertThat(senders.confirmed("invented-1")).isFalse();

        reports(62);
        assertThat(senders.judge("of-ours", "r1", chain.next("of-ours"), true, now)).isEqualTo(Standing.BELIEVED);
        assertThat(senders.knows("invented-1")).isFalse();
        assertThat(senders.confirmed("of-ours")).isTrue();
        assertThat(senders.knows("cart")).isTrue();
    }

    @Test
    void no_more_services_are_known_than_any_installation_has() {
        for (int service = 0; service < StatusSenders.MAX_SERVICES; service++) {
            assertThat(senders.judge("s" + service, "r1", null, false, now)).isEqualTo(Standing.BELIEVED);
        }
        assertThat(senders.judge("one-more", "r1", null, true, now)).isEqualTo(Standing.TOO_MANY);
    }

    @Test
    void invented_redirectors_of_a_service_are_bounded_and_do_not_displace_one_whose_proxies_are_seen() {
        reports(30);
        for (int invented = 1; invented < StatusSenders.MAX_SENDERS; invented++) {
            assertThat(judge("evil-" + invented, null)).isEqualTo(Standing.CLAIMED);
        }
        assertThat(judge("evil", null)).isEqualTo(Standing.TOO_MANY);
        assertThat(senders.judge("cart", "r2", stranger.next("cart"), true, now)).isEqualTo(Standing.BELIEVED);
        reports(1);
    }

    @Test
    void names_of_absurd_length_are_refused() {
        String absurd = "x".repeat(StatusSenders.MAX_NAME_LENGTH + 1);

        assertThat(senders.judge(absurd, "r1", null, true, now)).isEqualTo(Standing.TOO_MANY);
        assertThat(senders.judge("cart", absurd, null, true, now)).isEqualTo(Standing.TOO_MANY);
        assertThat(senders.knows(absurd)).isFalse();
    }
}
