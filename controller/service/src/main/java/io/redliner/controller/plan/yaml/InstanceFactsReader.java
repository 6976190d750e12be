// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.capacity.InstanceFacts;
import io.redliner.controller.plan.InvalidPlanException;

/** Reads the body of a request that tells what an instance is; a field that is left out is unknown. */
public final class InstanceFactsReader {

    private InstanceFactsReader() {}

    /**
     * What is told.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static InstanceFacts read(String text) throws InvalidPlanException {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(LocatedReader.read(text), problems);
        InstanceFacts facts = new InstanceFacts(fields.optionalIfAny("version", InstanceFacts::require),
                fields.optionalIfAny("hardware", InstanceFacts::require),
                fields.optionalIfAny("failureDomain", InstanceFacts::require));
        fields.rejectOthers();
        problems.throwIfAny();
        return facts;
    }
}
