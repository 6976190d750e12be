// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The files of a plan folder of which nothing is taken, and what they may be meant to say. */
final class RefusedFiles {

    private final PlanFolderContent content;

    private final Set<String> files = new TreeSet<>();

    RefusedFiles(PlanFolderContent content) {
        this.content = content;
    }

    void add(String file) {
        files.add(file);
    }

    /** Returns true when nothing is taken of the file, or of a folder that it is in. */
    boolean contains(String file) {
        return files.contains(file) || files.stream().anyMatch(one -> one.endsWith("/") && file.startsWith(one));
    }

    /** Returns true when the file of a calendar is refused. */
    boolean hasCalendar(String name) {
        return files.stream().anyMatch(file -> PlanFolderValidator.calendarName(file).equals(name));
    }

    /** Returns a file in which a plan of this name may stand. */
    Optional<String> holding(String plan) {
        return files.stream().filter(file -> mayHold(file, plan)).findFirst();
    }

    /** Returns true when a file names the plan. A plan file that cannot be read may name any plan. */
    boolean mayHold(String file, String plan) {
        String text = content.texts().get(file);
        if (text == null) {
            return !file.endsWith(".ics") && !file.endsWith("/");
        }
        return Pattern.compile("name[\"']?\\s*:\\s*[\"']?" + Pattern.quote(plan) + "(?![\\w.-])").matcher(text).find();
    }
}
