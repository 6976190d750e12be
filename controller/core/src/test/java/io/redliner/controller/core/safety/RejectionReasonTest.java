// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RejectionReasonTest {

    @Test
    void what_the_controller_cannot_do_now_it_may_do_later() {
        assertThat(RejectionReason.values()).filteredOn(reason -> reason.httpStatus() == 503).isNotEmpty()
                .allMatch(RejectionReason::retryHelps);
        assertThat(RejectionReason.values()).filteredOn(RejectionReason::ofLimits).isNotEmpty()
                .noneMatch(RejectionReason::retryHelps);
        assertThat(RejectionReason.values()).extracting(RejectionReason::httpStatus).containsOnly(409, 422, 503);
    }

    /** A fleet that is being deployed, or a redirector that has just begun, is no reason to drop a scheduled run. */
    @Test
    void a_fleet_that_is_not_complete_yet_is_waited_for() {
        assertThat(List.of(RejectionReason.UNKNOWN_SERVICE, RejectionReason.UNKNOWN_INSTANCE, RejectionReason.NO_PEERS,
                RejectionReason.SERVICE_BUSY)).allMatch(RejectionReason::retryHelps);
        assertThat(RejectionReason.VERSION_GONE.retryHelps()).isFalse();
    }

    @Test
    void the_details_for_machines_name_what_is_in_the_way() {
        assertThat(RunRejectedException.busy("service shop", "r-1").details()).containsEntry("runId", "r-1");
        assertThat(RunRejectedException.keyUsed("k", "series", "s-1").details()).containsEntry("seriesId", "s-1");
        assertThat(new RunRejectedException(RejectionReason.UNKNOWN_INSTANCE, "no", "$.spec.sut.instance",
                List.of("a:1")).details()).containsEntry("field", "$.spec.sut.instance")
                .containsEntry("known", List.of("a:1"));
        assertThat(RejectionReason.NO_MATCHING_INSTANCE.wireName()).isEqualTo("no-matching-instance");
    }
}
