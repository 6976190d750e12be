// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.analyzer.kafka.Messages;
import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.contract.limit.Precision;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSpecDecoderTest {

    private final RunSpecDecoder decoder = new RunSpecDecoder();

    @Test
    void rulesThatAreKnownAreNotCompiledAgain() throws MalformedRecordException {
        var before = decoder.read(Messages.SERVICE, baseline().build().toByteArray(), List.of()).criteria();

        var after = decoder.read(Messages.SERVICE,
                Messages.run(RunPhase.RUN_PHASE_RAMPING, 1).build().toByteArray(), before.all()).criteria();

        assertThat(before.sla()).isNotEmpty();
        assertThat(after.all()).usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsExactlyElementsOf(before.all());
    }

    @Test
    void aRuleThatChangedInAnyRespectIsCompiled() throws MalformedRecordException {
        var known = decoder.read(Messages.SERVICE, baseline().build().toByteArray(), List.of()).criteria().all();
        var run = baseline();
        run.getSlaBuilder(0).setInformational(!run.getSla(0).getInformational());
        run.addGuards(run.getSla(0).toBuilder().setExpression("error_rate <= 0.5"))
                .addGuards(run.getSla(0).toBuilder().setName("another"));

        var rules = decoder.read(Messages.SERVICE, run.build().toByteArray(), known).criteria();

        assertThat(rules.sla().getFirst().informational()).isEqualTo(!known.getFirst().informational());
        assertThat(rules.guards()).extracting(rule -> rule.name() + ": " + rule.expression())
                .endsWith(run.getSla(0).getName() + ": error_rate <= 0.5", "another: " + run.getSla(0).getExpression());
    }

    @Test
    void theSearchGetsThePrecisionThatThePlanAsksFor() throws MalformedRecordException {
        var run = baseline();
        assertThat(decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()).goal().precision()).isEmpty();

        run.getLimitsBuilder().setPrecision(0.1);
        assertThat(decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()).goal().precision())
                .contains(new SearchGoal.Precision(0.1, new Precision(0.1).lengthening()));

        run.getLimitsBuilder().setPrecision(Double.NaN);
        assertThatThrownBy(() -> decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()))
                .isInstanceOf(MalformedRecordException.class);
    }

    @Test
    void theSearchGetsWhatEarlierRunsFound() throws MalformedRecordException {
        var run = baseline();
        assertThat(decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()).goal().known()).isEmpty();

        run.getKnownBuilder().setCapacity(100).setLow(90).setHigh(111).setRuns(3);
        assertThat(decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()).goal().known())
                .contains(new KnownCapacity(100, 90, 111, 3));

        run.getKnownBuilder().setRuns(-1);
        assertThatThrownBy(() -> decoder.read(Messages.SERVICE, run.build().toByteArray(), List.of()))
                .isInstanceOf(MalformedRecordException.class);
    }

    private static RunSpec.Builder baseline() {
        return Messages.run(RunPhase.RUN_PHASE_BASELINE, 1);
    }
}
