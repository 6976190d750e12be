// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.core.sizing.Demand;
import io.redliner.controller.core.sizing.InstanceGroup;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request for the size of a fleet. */
public final class SizingRequestReader {

    private static final int MAX_CLASSES = 100;

    private SizingRequestReader() {}

    /**
     * Returns the question.
     *
     * @throws InvalidDocumentException with all mistakes
     */
    public static SizingRequest read(String text) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(text), fields -> {
            String service = fields.optional("service", Plan::requireService);
            BigDecimal low = fields.optionalObject("capacity", SizingRequestReader::low);
            if (fields.has("service") == fields.has("capacity")) {
                fields.mistake("needs either service or capacity");
            }
            String hardware = fields.optional("hardware", SutChoice::requireLabelValue);
            Demand demand = demand(fields);
            List<InstanceGroup> others = fields.read(
                    fields.list("others", MAX_CLASSES, "is one too many: at most " + MAX_CLASSES),
                    SizingRequestReader::group);
            return fields.make(() -> new SizingRequest(service, low, hardware, requireNonNull(demand), others));
        });
    }

    private static @Nullable BigDecimal low(NodeReader capacity) {
        BigDecimal low = capacity.required("low", SizingRequestReader::rate);
        // People paste what GET /capacities gave them.
        capacity.optional("capacity", SizingRequestReader::rate);
        capacity.optional("high", SizingRequestReader::rate);
        return low;
    }

    private static @Nullable Demand demand(NodeReader fields) {
        BigDecimal target = fields.required("targetRequestsPerSecond", SizingRequestReader::rate);
        BigDecimal headroom = fields.optional("headroom", SizingRequestReader::headroom, BigDecimal.ZERO);
        int domains = fields.optional("failureDomains", text -> Demand.requireDomains(NumberText.parseInt(text)), 1);
        boolean survive = fields.optional("surviveLoss", fields.has("failureDomains"));
        BigDecimal atLoss = fields.optional("headroomAtLoss", SizingRequestReader::headroom, headroom);
        return target == null ? null : new Demand(target, headroom, domains, survive, atLoss);
    }

    private static @Nullable InstanceGroup group(NodeReader fields) {
        String hardware = fields.required("hardware", SutChoice::requireLabelValue);
        BigDecimal low = fields.required("low", SizingRequestReader::rate);
        Long instances = fields.required("instances", SizingRequestReader::count);
        return fields.make(
                () -> new InstanceGroup(requireNonNull(hardware), requireNonNull(low), requireNonNull(instances)));
    }

    private static BigDecimal headroom(String text) {
        return Demand.requireHeadroom(Ratio.parse(text).value());
    }

    private static long count(String text) {
        long count = NumberText.parseWhole(text);
        if (count < 0 || count > 1_000_000_000) {
            throw new IllegalArgumentException("must be between 0 and 1000000000");
        }
        return count;
    }

    private static BigDecimal rate(String text) {
        BigDecimal rate = NumberText.parse(text, "is no rate in requests/s");
        if (rate.signum() <= 0) {
            throw new IllegalArgumentException("is no rate in requests/s, which is above 0");
        }
        return rate;
    }

    /**
     * A question for the size of a fleet.
     *
     * @param service whose newest capacities are used; absent when {@code low} gives the capacity
     * @param low lower bound of the capacity of one instance, requests/s; absent when {@code service} is given
     * @param hardware the class to count; absent for all classes that the service was measured on
     * @param others the instances of other classes that the fleet has
     */
    public record SizingRequest(@Nullable String service, @Nullable BigDecimal low, @Nullable String hardware,
            Demand demand, List<InstanceGroup> others) {

        public SizingRequest {
            others = List.copyOf(others);
        }
    }
}
