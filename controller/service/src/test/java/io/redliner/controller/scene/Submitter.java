// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.submission.RunSubmissionService;

/** Submits runs under another name than a user's, as schedules do: where everybody is {@code local}, such a run can be approved. */
public final class Submitter {

    private Submitter() {}

    /** Submits a run of a plan and gives its id. */
    public static String submit(Scene scene, String name, String plan) {
        try {
            return scene.context().getBean(RunSubmissionService.class)
                    .submit(scene.context().getBean(PlanReader.class).read(plan), name, null, null, "body").id();
        } catch (InvalidDocumentException mistake) {
            throw new AssertionError(mistake);
        }
    }
}
