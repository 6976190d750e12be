// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.jdbc.CapacityQueries;
import io.redliner.controller.jdbc.CapacityRecord;
import io.redliner.controller.run.Conclusion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The capacities that were found. */
@RestController
@RequestMapping("/api/v1/capacities")
class CapacityResource {

    private static final int MOST = 1000;

    private final CapacityQueries capacities;

    CapacityResource(CapacityQueries capacities) {
        this.capacities = capacities;
    }

    /** A capacity; rates are requests/s. */
    record CapacityView(String service, String instance, double capacity, double low, double high, boolean lowerBound,
            String limitingRule, @Nullable Double limitingValue, @Nullable Double limitingThreshold,
            @Nullable Double lastGood, @Nullable Double firstBad, double harmRequests, double durationSeconds,
            String plan,
            String planHash, String runId, Instant recordedAt, List<Conclusion.Finding> bottleneck,
            List<Conclusion.ValidityCheck> validity) {

        static CapacityView of(CapacityRecord found) {
            Conclusion conclusion = found.conclusion();
            return new CapacityView(found.service(), found.instance(), found.capacity(), found.low(), found.high(),
                    found.lowerBound(), found.limitingRule(), found.limitingValue(), found.limitingThreshold(),
                    found.lastGood(), found.firstBad(), found.harmRequests(), RunView.seconds(found.runDuration()),
                    found.planName(), found.planHash(), found.runId(), found.recordedAt(),
                    conclusion == null ? List.of() : conclusion.bottleneck(),
                    conclusion == null ? List.of() : conclusion.validity());
        }
    }

    /** Capacities. */
    record CapacityList(List<CapacityView> items) {}

    @GetMapping
    CapacityList newest() {
        return new CapacityList(capacities.newest().stream().map(CapacityView::of).toList());
    }

    @GetMapping("/{service}")
    CapacityList newest(@PathVariable String service) {
        List<CapacityView> items = capacities.newest()
                .stream()
                .filter(found -> found.service().equals(service))
                .map(CapacityView::of)
                .toList();
        if (items.isEmpty()) {
            throw new ProblemException(ProblemType.NOT_FOUND, "no capacity of service " + service + " is known");
        }
        return new CapacityList(items);
    }

    @GetMapping("/{service}/history")
    CapacityList history(@PathVariable String service, @RequestParam(defaultValue = "100") int limit) {
        if (limit < 1 || limit > MOST) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "limit is between 1 and " + MOST).with("field",
                    "limit");
        }
        return new CapacityList(capacities.history(service, limit).stream().map(CapacityView::of).toList());
    }
}
