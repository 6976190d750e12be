// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertaintyTest {

    @Test
    void a_number_is_sure_when_its_peers_were_a_control_and_no_check_doubts_it() {
        Certainty certainty = certainty(check("noise", Validity.OK), check("wander", Validity.OK),
                check("pauses", Validity.UNKNOWN));

        assertThat(certainty).isEqualTo(Certainty.SURE);
        assertThat(certainty.suffix()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"noise", "wander"})
    void without_peers_to_compare_with_it_cannot_be_known(String control) {
        Certainty certainty = certainty(check(control, Validity.UNKNOWN), check("host", Validity.OK));

        assertThat(certainty.level()).isEqualTo(Certainty.Level.CANNOT_BE_KNOWN);
        assertThat(certainty.suffix()).isEqualTo(", how sure cannot be known: words of " + control);
        assertThat(certainty.doubts()).isEmpty();
    }

    @Test
    void one_reason_of_two_checks_is_given_once() {
        assertThat(certainty(new ValidityCheck("noise", Validity.UNKNOWN, null, null, "", "there is one peer"),
                new ValidityCheck("wander", Validity.UNKNOWN, null, null, "", "there is one peer")).words())
                .isEqualTo("how sure cannot be known: there is one peer");
    }

    @ParameterizedTest
    @EnumSource(value = Validity.class, names = {"DOUBTFUL", "INVALID"})
    void a_check_that_does_not_hold_is_a_doubt_also_where_there_are_no_peers(Validity verdict) {
        Certainty certainty = certainty(check("noise", Validity.UNKNOWN), check("host", verdict),
                check("stalls", verdict));

        assertThat(certainty.level()).isEqualTo(Certainty.Level.DOUBTFUL);
        assertThat(certainty.doubts()).containsExactly("host", "stalls");
        assertThat(certainty.words()).isEqualTo("doubtful: host, stalls");
    }

    @Test
    void a_capacity_beside_neighbours_says_so_and_is_combined_with_no_other() {
        ValidityCheck neighbours = new ValidityCheck("neighbours", Validity.DOUBTFUL, 0.18, 0.0, "ratio",
                "capacity beside neighbours that slow all instances for 18 % of the time");
        Certainty certainty = certainty(neighbours, check("host", Validity.DOUBTFUL));

        assertThat(certainty.words())
                .isEqualTo("doubtful: capacity beside neighbours that slow all instances for 18 % of the time, host");
        assertThat(certainty.doubts()).containsExactly("neighbours", "host");
        assertThat(combinable(neighbours)).isFalse();
    }

    @Test
    void a_number_of_few_requests_may_be_combined_and_one_with_another_doubt_may_not() {
        ValidityCheck control = check("noise", Validity.OK);

        assertThat(combinable(control)).isTrue();
        assertThat(combinable(control, check("samples", Validity.DOUBTFUL))).isTrue();
        assertThat(combinable(control, check("samples", Validity.DOUBTFUL), check("host", Validity.DOUBTFUL)))
                .isFalse();
        assertThat(combinable(check("noise", Validity.UNKNOWN), check("samples", Validity.DOUBTFUL))).isFalse();
        assertThat(combinable(check("samples", Validity.OK))).isFalse();
        assertThat(Certainty.combinable(null)).isFalse();
    }

    private static boolean combinable(ValidityCheck... checks) {
        return Certainty.combinable(new SearchConclusion(List.of(), List.of(checks)));
    }

    @Test
    void checks_that_nobody_made_control_nothing() {
        assertThat(Stream.of(Certainty.of(null), certainty()).map(Certainty::level))
                .containsOnly(Certainty.Level.CANNOT_BE_KNOWN);
    }

    private static Certainty certainty(ValidityCheck... checks) {
        return Certainty.of(new SearchConclusion(List.of(), List.of(checks)));
    }

    private static ValidityCheck check(String name, Validity verdict) {
        return new ValidityCheck(name, verdict, null, null, "", "words of " + name);
    }
}
