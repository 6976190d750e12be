// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.sizing.FleetSizing;
import io.redliner.controller.core.sizing.FleetSizing.SizingResult;
import io.redliner.controller.core.sizing.ImpossibleSizingException;
import io.redliner.controller.core.sizing.InstanceGroup;
import io.redliner.controller.service.persistence.StoredCapacity;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.RequestBodyReader;
import io.redliner.controller.service.web.SizingRequestReader.SizingRequest;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The number of instances that a target needs. */
@RestController
@RequestMapping("/api/v1/sizing")
class SizingResource {

    private final FleetService fleets;

    SizingResource(FleetService fleets) {
        this.fleets = fleets;
    }

    /**
     * The number of instances of one hardware class that are needed.
     *
     * @param low lower bound of the capacity of one instance, requests/s
     * @param capacity the measured one; absent when the request gave it
     */
    record ClassView(@Nullable String hardware, double low, @Nullable CapacityBasis capacity, long instances,
            List<Long> perDomain, SizingResult.Working normal, SizingResult.@Nullable Working domainLost) {}

    /**
     * The answer with the inputs it was made from. The fields of the only class are repeated beside the list.
     *
     * @param instances absent when there are several classes to choose from
     */
    record SizingView(@Nullable String service, BigDecimal targetRequestsPerSecond, BigDecimal headroom,
            int failureDomains, boolean surviveLoss, BigDecimal headroomAtLoss, List<InstanceGroup> others,
            List<ClassView> classes, @Nullable Long instances, @Nullable List<Long> perDomain,
            SizingResult.@Nullable Working normal, SizingResult.@Nullable Working domainLost, String assumption) {

        static SizingView of(SizingRequest request, List<ClassView> classes) {
            ClassView only = classes.size() == 1 ? classes.getFirst() : null;
            return new SizingView(request.service(), request.demand().target(), request.demand().headroom(),
                    request.demand().domains(), request.demand().surviveLoss(), request.demand().headroomAtLoss(),
                    request.others(), classes, only == null ? null : only.instances(),
                    only == null ? null : only.perDomain(), only == null ? null : only.normal(),
                    only == null ? null : only.domainLost(),
                    "each instance gets traffic in proportion to its capacity"
                            + (request.demand().domains() > 1
                                    ? ", and instances are spread as evenly as possible over the failure domains"
                                    : ""));
        }
    }

    @PostMapping
    SizingView size(InputStream body) throws InvalidDocumentException {
        SizingRequest request = SizingRequestReader.read(RequestBodyReader.read(body));
        if (request.low() != null) {
            return SizingView.of(request, List.of(counted(request, request.hardware(), request.low(), null)));
        }
        List<ClassView> classes = new ArrayList<>();
        for (StoredCapacity stored : measured(request)) {
            classes.add(counted(request, stored.hardware(), BigDecimal.valueOf(stored.record().low()),
                    fleets.basis(stored)));
        }
        return SizingView.of(request, classes);
    }

    private List<StoredCapacity> measured(SizingRequest request) {
        List<StoredCapacity> classes = fleets.strengths(Objects.requireNonNull(request.service()))
                .classes()
                .stream()
                .filter(stored -> request.hardware() == null || request.hardware().equals(stored.hardware()))
                .filter(stored -> Double.isFinite(stored.record().low()))
                .toList();
        if (classes.isEmpty()) {
            throw new ProblemException(ProblemType.IMPOSSIBLE_SIZING, "no capacity of service " + request.service()
                    + (request.hardware() == null ? "" : " on hardware " + request.hardware())
                    + " is known: run a test first, or give the capacity").with("field", "$.service");
        }
        return classes;
    }

    private static ClassView counted(SizingRequest request, @Nullable String hardware, BigDecimal low,
            @Nullable CapacityBasis basis) {
        try {
            SizingResult result = FleetSizing.size(low, request.others(), request.demand());
            return new ClassView(hardware, low.doubleValue(), basis, result.instances(), result.perDomain(),
                    result.normal(),
                    result.loss());
        } catch (ImpossibleSizingException impossible) {
            throw new ProblemException(ProblemType.IMPOSSIBLE_SIZING, String.valueOf(impossible.getMessage()))
                    .with("field", impossible.field());
        }
    }
}
