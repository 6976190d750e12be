// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** The kinds of error of the API. Their URIs are stable; the texts beside them are not. */
public enum ProblemType {

    INVALID_DOCUMENT(HttpStatus.BAD_REQUEST, "The document has mistakes"), //
    INVALID_PARAMETER(HttpStatus.BAD_REQUEST, "A parameter cannot be understood"), //
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such thing"), //
    PLAN_EXISTS(HttpStatus.CONFLICT, "There is a plan of this name"), //
    NAME_DIFFERS(HttpStatus.UNPROCESSABLE_CONTENT, "The plan has another name than the address"), //
    SERVICE_BUSY(HttpStatus.CONFLICT, "The service is being tested"), //
    IDEMPOTENCY_CONFLICT(HttpStatus.CONFLICT, "The idempotency key was used for something else"), //
    RUN_FINISHED(HttpStatus.CONFLICT, "The run is over"), //
    UNKNOWN_PLAN(HttpStatus.NOT_FOUND, "There is no such plan"), //
    UNKNOWN_SERVICE(HttpStatus.UNPROCESSABLE_CONTENT, "There is no such service"), //
    UNKNOWN_INSTANCE(HttpStatus.UNPROCESSABLE_CONTENT, "The service has no such instance"), //
    NO_MATCHING_INSTANCE(HttpStatus.UNPROCESSABLE_CONTENT, "No instance is known to be what the plan selects"), //
    VERSION_GONE(HttpStatus.UNPROCESSABLE_CONTENT, "The version that the plan selects has no instance left"), //
    NO_PEERS(HttpStatus.UNPROCESSABLE_CONTENT, "The instance has no peers"), //
    SHARE_LIMIT_BELOW_NATURAL(HttpStatus.UNPROCESSABLE_CONTENT, "The share limit leaves nothing to test"), //
    NO_REDIRECTOR(HttpStatus.SERVICE_UNAVAILABLE, "No redirector is there"), //
    NO_PROXY_CONNECTED(HttpStatus.SERVICE_UNAVAILABLE, "No proxy is connected"), //
    RECEIVER_NOT_CONFIGURED(HttpStatus.UNPROCESSABLE_CONTENT, "A receiver of notifications is not configured"), //
    CONTROLLER_STOPPING(HttpStatus.SERVICE_UNAVAILABLE, "The controller is starting or stopping"), //
    SECOND_PERSON_NEEDED(HttpStatus.CONFLICT, "A second person has to approve the run"), //
    KILL_SWITCH_ENGAGED(HttpStatus.CONFLICT, "The kill switch is engaged"), //
    FROZEN(HttpStatus.CONFLICT, "The service is frozen"), //
    TOO_MANY_RUNS(HttpStatus.CONFLICT, "Too many runs are live"), //
    HARM_BUDGET_SPENT(HttpStatus.CONFLICT, "The service has no harm budget left in this month"), //
    WRONG_PHASE(HttpStatus.CONFLICT, "The run is in another phase"), //
    IMPOSSIBLE_SIZING(HttpStatus.UNPROCESSABLE_CONTENT, "No fleet of any size can do that"), //
    RUN_UNREADABLE(HttpStatus.CONFLICT, "What is stored of the run cannot be read"), //
    STORED_UNREADABLE(HttpStatus.CONFLICT, "What is stored of it cannot be read"), //
    DETAILS_REMOVED(HttpStatus.GONE, "The run's journal and windows were removed"), //
    PLAN_CHANGED(HttpStatus.PRECONDITION_FAILED, "The plan is not the one that If-Match names"), //
    ENCODED_BODY(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body is encoded"), //
    OWNED_BY_FOLDER(HttpStatus.CONFLICT, "It comes from the plan folder"), //
    CALENDAR_IN_USE(HttpStatus.CONFLICT, "Plans need the calendar"), //
    INVALID_CALENDAR(HttpStatus.BAD_REQUEST, "The calendar cannot be relied on"), //
    DEPLOYMENT_CONFLICT(HttpStatus.CONFLICT, "The deployment was told before as another one"), //
    OUT_OF_REACH(HttpStatus.UNPROCESSABLE_CONTENT, "The limits leave less than the plan needs"), //
    NO_CAPACITY_KNOWN(HttpStatus.UNPROCESSABLE_CONTENT, "No capacity of the instance is known"), //
    CROSS_SITE(HttpStatus.FORBIDDEN, "Pages of other sites may not do this"), //
    TOO_MANY_FOLLOWERS(HttpStatus.SERVICE_UNAVAILABLE, "Too many streams are open"), //
    DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"), //
    REQUEST_REFUSED(HttpStatus.BAD_REQUEST, "The request cannot be served"), //
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The controller made a mistake");

    private final HttpStatus status;

    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    HttpStatus status() {
        return status;
    }

    String title() {
        return title;
    }

    URI uri() {
        return URI.create("https://redliner.io/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
