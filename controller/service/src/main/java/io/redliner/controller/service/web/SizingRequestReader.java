// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.sizing.Demand;
import io.redliner.controller.core.sizing.InstanceGroup;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlNode;
import io.redliner.controller.plan.yaml.YamlParser;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request for the size of a fleet. */
public final class SizingRequestReader {

    private static final int MAX_CLASSES = 100;

    private final ValidationErrors errors = new ValidationErrors();

    private SizingRequestReader() {}

    /**
     * Returns the question.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static SizingRequest read(String text) throws InvalidPlanException {
        return new SizingRequestReader().order(YamlParser.read(text));
    }

    private SizingRequest order(YamlNode document) throws InvalidPlanException {
        NodeReader fields = NodeReader.of(document, errors);
        String service = fields.optionalIfAny("service", Plan::requireService);
        BigDecimal low = low(fields.optionalObject("capacity"));
        if (fields.has("service") == fields.has("capacity")) {
            errors.add(document, "needs either service or capacity");
        }
        String hardware = fields.optionalIfAny("hardware", SutChoice::requireLabelValue);
        Demand demand = demand(fields);
        List<InstanceGroup> others = others(fields.list("others", false));
        fields.rejectOthers();
        errors.throwIfAny();
        if (demand == null) {
            throw new IllegalStateException("a missing target is a problem");
        }
        return new SizingRequest(service, low, hardware, demand, others);
    }

    private @Nullable BigDecimal low(@Nullable NodeReader capacity) {
        if (capacity == null) {
            return null;
        }
        BigDecimal low = capacity.required("low", SizingRequestReader::rate);
        // People paste what GET /capacities gave them.
        capacity.optionalIfAny("capacity", SizingRequestReader::rate);
        capacity.optionalIfAny("high", SizingRequestReader::rate);
        capacity.rejectOthers();
        return low;
    }

    private @Nullable Demand demand(NodeReader fields) {
        BigDecimal target = fields.required("targetRequestsPerSecond", SizingRequestReader::rate);
        BigDecimal headroom = fields.optional("headroom", SizingRequestReader::headroom, BigDecimal.ZERO);
        boolean domainsGiven = fields.has("failureDomains");
        int domains = fields.optional("failureDomains", text -> Demand.requireDomains(NumberText.parseInt(text)), 1);
        boolean survive = fields.optional("surviveLoss", domainsGiven);
        BigDecimal atLoss = fields.optional("headroomAtLoss", SizingRequestReader::headroom, headroom);
        return target == null ? null : new Demand(target, headroom, domains, survive, atLoss);
    }

    private List<InstanceGroup> others(List<YamlNode> items) {
        List<InstanceGroup> others = new ArrayList<>();
        for (YamlNode item : items) {
            NodeReader fields = NodeReader.of(item, errors);
            String hardware = fields.required("hardware", SutChoice::requireLabelValue);
            BigDecimal low = fields.required("low", SizingRequestReader::rate);
            Long instances = fields.required("instances", SizingRequestReader::count);
            fields.rejectOthers();
            if (others.size() == MAX_CLASSES) {
                errors.add(item, "is one too many: at most " + MAX_CLASSES);
                break;
            }
            if (hardware != null && low != null && instances != null) {
                others.add(new InstanceGroup(hardware, low, instances));
            }
        }
        return others;
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
