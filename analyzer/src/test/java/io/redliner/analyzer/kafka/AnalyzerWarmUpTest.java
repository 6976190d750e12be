// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.v1.Judgement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AnalyzerWarmUpTest {

    @Test
    void a_run_is_judged_and_goes_on_elsewhere_as_if_it_were_one() {
        var said = new AnalyzerWarmUp(Duration.ofMillis(750), SearchSettings.defaults()).perform();

        // A takeover repeats the last verdict.
        assertThat(said).extracting(it -> it.getSequence()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L,
                9L,
                10L, 10L, 11L, 12L, 13L, 14L, 15L);
        assertThat(said).extracting(it -> it.getJudgement()).containsOnly(Judgement.JUDGEMENT_HOLDS);
    }
}
