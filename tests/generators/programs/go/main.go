// Calls a server with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"parley.example/client/parley"
)

func main() {
	url, login := os.Getenv("PARLEY_URL"), os.Getenv("PARLEY_LOGIN")
	topic, content := os.Getenv("PARLEY_TOPIC"), os.Getenv("PARLEY_CONTENT")
	ctx := context.Background()
	client := must(parley.NewClientWithResponses(url, parley.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(login)))
			return nil
		})))

	health := must(client.GetHealthWithResponse(ctx))
	queue := must(client.RegisterQueueWithFormdataBodyWithResponse(ctx, parley.RegisterQueueFormdataRequestBody{
		ApplyMarkdown: pointer(false),
		EventTypes:    text([]string{"message"}),
		Narrow:        text([][]string{{"topic", topic}}),
	}))
	sent := must(client.SendMessageWithFormdataBodyWithResponse(ctx, parley.SendMessageFormdataRequestBody{
		Type: parley.SendMessageFormdataBodyTypeChannel, To: "general", Topic: &topic, Content: content,
	}))
	found := must(client.GetMessagesWithResponse(ctx, &parley.GetMessagesParams{
		Anchor: pointer("newest"), NumBefore: pointer(int64(5)), NumAfter: pointer(int64(0)), ApplyMarkdown: pointer(false),
		Narrow: text([]map[string]string{{"operator": "topic", "operand": topic}}),
	}))
	polled := must(client.GetEventsWithResponse(ctx, &parley.GetEventsParams{
		QueueId: &queue.JSON200.QueueId, LastEventId: pointer(int64(-1)),
	}))
	person := must(client.GetUserWithResponse(ctx, strings.Split(login, ":")[0], nil))
	refused := must(client.DeleteMessageWithResponse(ctx, 2147483646))

	contents := []string{}
	for _, message := range found.JSON200.Messages {
		contents = append(contents, message.Content)
	}
	event := must(polled.JSON200.Events[0].AsMessageEvent())
	fmt.Println(*text(map[string]any{
		"health":  health.JSON200.Status,
		"sent":    sent.JSON200.Id,
		"found":   contents,
		"event":   event.Message.Content,
		"role":    person.JSON200.User.Role,
		"refused": refused.JSON400.Code,
	}))
}

// text is a value as JSON, which is how forms and queries hold it.
func text(value any) *string {
	return pointer(string(must(json.Marshal(value))))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }
