// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;

/** The ETag of a plan: its version, and the beginning of its hash, since a plan that was deleted begins with 1 again. */
final class PlanTag {

    private static final int HASH_DIGITS = 16;

    private static final String ANY = "*";

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");

    private static final Pattern TAGS = Pattern.compile(TAG + "(?:[ \t]*,[ \t]*" + TAG + ")*");

    private PlanTag() {}

    static String of(int version, String hash) {
        return "\"" + version + "-" + hash.substring(0, Math.min(HASH_DIGITS, hash.length())) + "\"";
    }

    /**
     * A predicate that is true for the plans that an If-Match header names (RFC 9110). A weak tag names none.
     *
     * @throws ProblemException when it is no such header
     */
    static Predicate<StoredPlan> seen(String ifMatch) {
        String tags = ifMatch.strip();
        if (tags.equals(ANY)) {
            return plan -> true;
        }
        if (!TAGS.matcher(tags).matches()) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "If-Match is neither * nor the ETag of a plan, in its quotation marks")
                    .with("field", HttpHeaders.IF_MATCH);
        }
        List<String> named = TAG.matcher(tags).results().map(MatchResult::group).toList();
        return plan -> named.contains(of(plan.version(), plan.hash()));
    }
}
