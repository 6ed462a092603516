package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A slip replaces bytes of a file.
type slip struct {
	file        string
	content     []byte
	begin, end  int
	text        string
	description string
}

func (s slip) position() string {
	return fmt.Sprintf("%s:%d", s.file, 1+bytes.Count(s.content[:s.begin], []byte("\n")))
}

// overlay writes the file with the slip, and the go command's file that puts it in place of the original.
func (s slip) overlay(folder string) (string, error) {
	original, err := filepath.Abs(s.file)
	if err != nil {
		return "", err
	}
	edited := filepath.Join(folder, filepath.Base(s.file))
	content := append(append(bytes.Clone(s.content[:s.begin]), s.text...), s.content[s.end:]...)
	if err := os.WriteFile(edited, content, 0o644); err != nil {
		return "", err
	}
	file := filepath.Join(folder, "overlay.json")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: edited}})
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(file, overlay, 0o644)
}

// slipsIn returns the slips that are possible in a package: in its Go files, and omitted lines of its templates.
func slipsIn(dir string) ([]slip, error) {
	var slips []slip
	err := filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		isBelow := filepath.Dir(file) != filepath.Clean(dir)
		switch {
		case entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case strings.HasSuffix(file, ".tmpl"):
		case isBelow || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		in := editor{file: filepath.ToSlash(file), content: content}
		if strings.HasSuffix(file, ".tmpl") {
			in.omitLines()
		} else if err := in.walk(); err != nil {
			return err
		}
		slips = append(slips, in.slips...)
		return nil
	})
	return slips, err
}

// An editor collects the slips in a file.
type editor struct {
	file    string
	content []byte
	files   *token.FileSet
	slips   []slip
}

func (e *editor) add(begin, end int, text, description string) {
	e.slips = append(e.slips, slip{e.file, e.content, begin, end, text, description})
}

// at returns the bytes of a node.
func (e *editor) at(n ast.Node) (begin, end int) {
	return e.files.Position(n.Pos()).Offset, e.files.Position(n.End()).Offset
}

func (e *editor) replace(n ast.Node, text, description string) {
	begin, end := e.at(n)
	e.add(begin, end, text, description)
}

// source returns the first line of a node's text.
func (e *editor) source(n ast.Node) string {
	begin, end := e.at(n)
	line, _, _ := strings.Cut(string(e.content[begin:end]), "\n")
	return line
}

// omitLines has slips for the lines of a template that aren't part of a block.
func (e *editor) omitLines() {
	begin := 0
	for line := range bytes.Lines(e.content) {
		text := string(bytes.TrimSpace(line))
		if strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz") && !strings.HasPrefix(text, "//") && !strings.Contains(text, "{{") {
			e.add(begin, begin+len(line), "", "omit "+text)
		}
		begin += len(line)
	}
}

func (e *editor) walk() error {
	e.files = token.NewFileSet()
	file, err := parser.ParseFile(e.files, e.file, e.content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return err
	}
	for _, declaration := range file.Decls {
		if general, ok := declaration.(*ast.GenDecl); !ok || general.Tok == token.VAR {
			ast.Inspect(declaration, e.visit)
		}
	}
	return nil
}

// operators has the slip for each operator.
var operators = map[token.Token]string{
	token.LAND: "||", token.LOR: "&&", token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<",
	token.GTR: ">=", token.GEQ: ">", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
}

func (e *editor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		e.negate(n.Cond)
		if n.Else == nil {
			e.replace(n, "", "omit "+e.source(n))
		}
	case *ast.ForStmt:
		e.negate(n.Cond)
	case *ast.CaseClause:
		for _, condition := range n.List {
			if _, isCondition := condition.(*ast.BinaryExpr); isCondition {
				e.negate(condition)
			}
		}
		e.replace(n, "", "omit "+e.source(n))
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
		e.replace(n, "", "omit "+e.source(n))
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			e.replace(n, "", "omit "+e.source(n))
		}
	case ast.Expr:
		e.visitExpression(n)
	}
	return true
}

func (e *editor) visitExpression(n ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if other, ok := operators[n.Op]; ok {
			begin := e.files.Position(n.OpPos).Offset
			e.add(begin, begin+len(n.Op.String()), other, fmt.Sprintf("%s for %s in %s", other, n.Op, e.source(n)))
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			e.replace(n, e.source(n.X), "without the ! in "+e.source(n))
		}
	case *ast.BasicLit:
		e.exchange(n, n.Value)
	case *ast.Ident:
		e.exchange(n, n.Name)
	case *ast.CompositeLit:
		for i, element := range n.Elts {
			begin, end := e.at(element)
			if i+1 < len(n.Elts) {
				end, _ = e.at(n.Elts[i+1])
			}
			e.add(begin, end, "", "omit "+e.source(element))
		}
	}
}

// exchanged are values that are written for others by mistake.
var exchanged = map[string]string{"0": "1", "1": "2", "true": "false", "false": "true"}

func (e *editor) exchange(n ast.Expr, text string) {
	if other, ok := exchanged[text]; ok {
		e.replace(n, other, other+" for "+text)
	}
}

func (e *editor) negate(condition ast.Expr) {
	if condition != nil {
		e.replace(condition, "!("+string(e.content[e.files.Position(condition.Pos()).Offset:e.files.Position(condition.End()).Offset])+")",
			"the opposite of "+e.source(condition))
	}
}
