// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Epochs;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.v1.Attribute;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.Cohort;
import io.redliner.contract.v1.HeaderMatch;
import io.redliner.contract.v1.IntegerRange;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.redirector.kafka.LeaseDecoder;
import io.redliner.testkit.AbsurdMessages;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Well-formed leases of absurd values, as anybody with access to the topic can write them: each ends itself. The loop turns,
 * what ran out is natural, and the controller's next epoch is obeyed.
 */
class AbsurdLeasesTest extends LeaseReconcilerFixture {

    private static final int RECORDS = 5_000;

    private static final Lease SENSIBLE = Lease.newBuilder().setService("demo").setRunId("run-7").setEpoch(7)
            .setSequence(3).setSut(Examples.SUT.address().toString()).setSharePpm(600_000)
            .setIssuedAtMs(START.toEpochMilli()).setExpiresAtMs(START.plusSeconds(5).toEpochMilli()).setTtlMs(5_000)
            .setMaxSharePpm(600_000)
            .setRedirect(Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_MODULO).setModulus(1_000)
                    .setAttribute(Attribute.newBuilder().setSource(AttributeSource.ATTRIBUTE_SOURCE_HEADER)
                            .setName("x-user"))
                    .addCohorts(Cohort.newBuilder().setName("young").setPathPrefix("/cart").addMethods("GET")
                            .addHeaders(HeaderMatch.newBuilder().setName("x-created")
                                    .setRange(IntegerRange.newBuilder().setFrom(1).setTo(9)))))
            .build();

    @Test
    void none_stops_the_loop_or_outlives_its_time() throws InvalidProtocolBufferException {
        apply(7);
        Random random = new Random(7);
        int believed = 0;
        for (int seed = 0; seed < RECORDS; seed++) {
            Lease sensible = random.nextBoolean() ? SENSIBLE : SENSIBLE.toBuilder().clearRedirect().build();
            byte[] record = AbsurdMessages.of(sensible, seed).toByteArray();
            try {
                redirector.receive(LeaseDecoder.read(record).received(Duration.ZERO, clock.instant()),
                        clock.instant());
                believed++;
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageMatching("(?s).* (is|has|,) .*|.*more than.*");
            }
            redirector.reconcile();
            if (random.nextInt(20) == 0) {
                acknowledge();
            }
            pass(Duration.ofMillis(random.nextInt(200)));
        }
        assertThat(believed).as("most are well enough to be judged").isGreaterThan(RECORDS / 10);

        pass(io.redliner.redirector.lease.Lease.MAX_TTL);
        assertThat(dataPlane.last().lease()).isEmpty();

        long epoch = highestEpochOfDemo() + 1;
        receive(lease(epoch, 1, 600_000, clock.instant()));
        acknowledge();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }

    /** The epoch that controllers learn from the statuses. */
    private long highestEpochOfDemo() {
        return journal.statuses.stream()
                .filter(status -> status.service().equals("demo")
                        && !status.reason().startsWith(Epochs.JUMP))
                .mapToLong(status -> status.epoch()).max().orElseThrow();
    }
}
