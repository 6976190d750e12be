// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options of a question for a sizing. */
final class SizingOptions {

    @Option(names = "--headroom", paramLabel = "PART", defaultValue = "30%", description = "The part of each instance's capacity that stays free, as 30%% or 0.3 (default: 30%%).")
    private String headroom = "";

    @Option(names = "--hardware", paramLabel = "CLASS", description = "The hardware class of its instances.")
    private @Nullable String hardware;

    /**
     * Adds them and what is the same in each question.
     *
     * @param failureDomains any one of so many may be lost, when {@code surviveLoss}
     * @param headroomAtLoss the part that stays free while one is lost
     */
    ObjectNode addTo(ObjectNode order, int failureDomains, boolean surviveLoss, String headroomAtLoss) {
        order.put("headroom", headroom).put("failureDomains", failureDomains).put("surviveLoss", surviveLoss)
                .put("headroomAtLoss", headroomAtLoss);
        if (hardware != null) {
            order.put("hardware", hardware);
        }
        return order;
    }
}
