// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.report.Section;
import java.util.List;

/** Adds sections of one kind of test, or of one plan, to reports; every bean of this type contributes, in order. */
public interface SectionSource {

    /** Returns the sections about a run, which may be live; none for a run of another kind. */
    List<Section> sections(StoredRun run);
}
